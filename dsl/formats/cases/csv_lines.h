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
    uint64_t line;    ///< number of its first line in the file, from 1
  };
  /// Returns the next row that is not empty, without a byte order mark; for headers. Returns
  /// nothing at the end of the text. Throws Error(BadInput) for a row that is longer than
  /// kMaxRowBytes.
  std::optional<Row> takeRow();
  /// Fills the bytes of `chunk` with the next rows, at most `mostRows`. Each row ends with a line
  /// feed, also the last one of the text. Returns false at the end of the text. A chunk is short if
  /// the stream pauses.
  /// A line longer than kMaxRowBytes gives a separate chunk with the start of the line. A quote
  /// whose cell is longer than that counts as never closed.
  bool fetch(CaseChunk &chunk, size_t mostRows);
  /// Estimates the number of rows from the length of the first ones and InputStream::likelyBytes.
  /// Returns nothing if the size is unknown. Precondition: fetch() was not called yet.
  std::optional<uint64_t> likelyRows();
  /// The number of lines of rows that takeRow returned, and of empty lines before them.
  uint64_t linesTaken() const { return linesTaken_; }

private:
  bool skipLongRow();
  bool readMore();

  InputStream stream_;
  std::string carry_;        ///< text that was read, but not returned yet
  bool inLongRow_ = false;   ///< the text continues with the rest of a line that is too long
  bool carriesRows_ = false; ///< carry_ may hold whole rows
  bool isFirst_ = true;
  uint64_t linesTaken_ = 0;
  uint64_t bytesTaken_ = 0; ///< bytes of these lines, and of chunks
};

} // namespace mpf
