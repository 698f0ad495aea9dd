// Splits one row of CSV into its cells (RFC 4180). Cells may be in double quotes; "" inside is one
// quote, and line ends are allowed inside (csv_records.h). Blanks around a cell are ignored.
#pragma once

#include "dsl/source/source_buffer.h"

#include <string>
#include <string_view>

namespace mpf {

/// Whether blanks like `c` around a cell are ignored.
inline bool isCellBlank(char c) { return c == ' ' || c == '\t'; }

struct CsvCell {
  std::string_view text; ///< unquoted; valid until the next cell
  /// The raw cell with its quotes, without surrounding blanks.
  std::string_view raw;
  SourceRange range;     ///< place in the row, with the quotes
  bool isBroken = false; ///< a quote is not closed, or other text follows the closing one
};

class CsvCells {
public:
  /// `row` has no line end and at most 4 GiB. It, and 8 readable bytes behind it, must outlive this
  /// object.
  explicit CsvCells(std::string_view row) : row_(row) {}

  /// Reads the next cell; returns false if there is none. An empty row has one cell.
  bool next(CsvCell &cell);

private:
  size_t skipBlanks(size_t at) const;
  void takeQuoted(CsvCell &cell);

  std::string_view row_;
  size_t at_ = 0; ///< start of the next cell; behind the end: there is none
  std::string unquoted_;
};

} // namespace mpf
