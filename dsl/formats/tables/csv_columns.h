// Columns of a table in CSV (RFC 4180) whose first row names them. Cells may stand in double
// quotes;
// "" inside is one quote. '#' outside of quotes starts a comment, and empty lines are no rows.
#pragma once

#include "dsl/formats/tables/stored_array.h"
#include "dsl/source/diagnostic.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// A cell of a row; its text is valid until the next cell.
struct CsvTableCell {
  std::string_view text; ///< without quotes and blanks around it
  SourceRange range{};   ///< with its quotes
  bool isQuoted = false;
};

class CsvColumns {
public:
  explicit CsvColumns(std::shared_ptr<const SourceBuffer> text) : text_(std::move(text)) {}

  /// Reads the first row. Returns false after reporting a quote that is not closed, or two columns
  /// of one name.
  bool readHeader(Diagnostics &diagnostics);
  /// The names of the columns; empty: all cells of the first row are numbers, so that it is no
  /// header.
  const std::vector<std::string> &header() const { return header_; }
  /// The cells of a first row that is no header, and its place; empty: it is one.
  const std::vector<std::string> &firstNumbers() const { return firstNumbers_; }
  SourcePlace firstPlace() const { return {text_, firstRange_}; }
  const std::shared_ptr<const SourceBuffer> &text() const { return text_; }

  /// Calls take(column, cell) for each cell of the rows after the header, or of all rows if there
  /// is none. Returns false after reporting rows of other lengths than the first one and bad
  /// quotes.
  bool forEachCell(Diagnostics &diagnostics,
                   const std::function<void(size_t, const CsvTableCell &)> &take) const;
  /// Returns the numbers of `columns`, one row after the other; `columns` has different places in
  /// header(). Its shape is {rows, columns}. Reports as readTextTable.
  std::optional<StoredArray> numbers(std::span<const size_t> columns, uint64_t maxEntries,
                                     Diagnostics &diagnostics) const;

private:
  std::shared_ptr<const SourceBuffer> text_;
  std::vector<std::string> header_, firstNumbers_;
  SourceRange firstRange_{};
  uint32_t rowsAt_ = 0; ///< offset of the first row that is no header
};

} // namespace mpf
