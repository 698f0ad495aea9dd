// Cuts a stream of text into chunks of whole rows (csv_records.h).
#pragma once

#include "dsl/formats/cases/case_chunk.h"
#include "dsl/support/files/input_stream.h"

#include <optional>
#include <string>

namespace mpf {

/// The longest row of a list of cases.
inline constexpr size_t kMaxRowBytes = size_t{16} << 20;

/// fetch() and takeLine() are for one thread at a time.
class CsvLines {
public:
  explicit CsvLines(InputStream stream) : stream_(std::move(stream)) {}

  InputStream &stream() { return stream_; }
  const InputStream &stream() const { return stream_; }

  struct Row {
    std::string text; ///< without its end
    uint64_t line;    ///< its first one in the file, from 1
  };
  /// The next row that is not empty, for headers. A byte order mark before it is left out.
  /// Nothing: the text has ended. Throws Error(BadInput) for one that is longer than kMaxRowBytes.
  std::optional<Row> takeRow();
  /// Fills the bytes of `chunk` with the next rows; all of them end with a line feed, the last one
  /// of the text too. False: the text has ended. A line that is longer than kMaxRowBytes is a chunk
  /// of its own, of which the start is there; a cell that is open for longer is taken for one that
  /// is never closed. No chunk has more than `mostRows` rows; one is short where the stream pauses.
  bool fetch(CaseChunk &chunk, size_t mostRows);
  /// About how many rows fetch() will give, by the length of the first ones and
  /// InputStream::likelyBytes. Before it is called. None: that is not known.
  std::optional<uint64_t> likelyRows();
  /// Lines of what takeRow took, and empty ones before them.
  uint64_t linesTaken() const { return linesTaken_; }

private:
  bool skipLongRow();
  bool readMore();

  InputStream stream_;
  std::string carry_;        ///< read, not yet given
  bool inLongRow_ = false;   ///< what comes first is the rest of a line that is too long
  bool carriesRows_ = false; ///< carry_ may hold whole rows
  bool isFirst_ = true;
  uint64_t linesTaken_ = 0;
  uint64_t bytesTaken_ = 0; ///< of these, and of chunks
};

} // namespace mpf
