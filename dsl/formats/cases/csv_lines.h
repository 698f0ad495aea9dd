// Cuts a stream of text into chunks of whole lines.
#pragma once

#include "dsl/formats/cases/case_chunk.h"
#include "dsl/support/files/input_stream.h"

#include <optional>
#include <string>

namespace mpf {

/// The end of the lines that hold the first `most` rows of [begin, end), which are whole lines; how
/// many there are. Lines without any character are no rows.
struct CsvRowsEnd {
  const char *end = nullptr;
  size_t rows = 0;
};
CsvRowsEnd endOfRows(const char *begin, const char *end, size_t most);

/// The longest row of a list of cases.
inline constexpr size_t kMaxRowBytes = size_t{16} << 20;

/// fetch() and takeLine() are for one thread at a time.
class CsvLines {
public:
  explicit CsvLines(InputStream stream) : stream_(std::move(stream)) {}

  InputStream &stream() { return stream_; }
  const InputStream &stream() const { return stream_; }

  struct Line {
    std::string text; ///< without its end
    uint64_t number;  ///< in the file, from 1
  };
  /// The next line that is not empty, for headers. A byte order mark before it is left out.
  /// Nothing: the text has ended. Throws Error(BadInput) for one that is longer than kMaxRowBytes.
  std::optional<Line> takeLine();
  /// Fills the bytes of `chunk` with the next lines; all of them end with a line feed, the last one
  /// of the text too. False: the text has ended. A row that is longer than kMaxRowBytes is a chunk
  /// of its own, of which the start is there. No chunk has more than `mostRows` rows.
  bool fetch(CaseChunk &chunk, size_t mostRows);
  /// About how many rows fetch() will give, by the length of the first ones and
  /// InputStream::likelyBytes. Before it is called. None: that is not known.
  std::optional<uint64_t> likelyRows();
  /// Lines that takeLine took, and empty ones before them.
  uint64_t linesTaken() const { return linesTaken_; }

private:
  bool skipLongRow();

  InputStream stream_;
  std::string carry_;      ///< read, not yet given
  bool inLongRow_ = false; ///< what comes first is the rest of a row that is too long
  bool isFirst_ = true;
  uint64_t linesTaken_ = 0;
  uint64_t bytesTaken_ = 0; ///< of these, and of chunks
};

} // namespace mpf
