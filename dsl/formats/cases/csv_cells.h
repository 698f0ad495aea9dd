// Splits one row of CSV into its cells (RFC 4180): they may be in double quotes, "" inside them is
// one quote, and line ends may stand there (csv_records.h). Blanks around a cell do not count.
#pragma once

#include "dsl/source/source_buffer.h"

#include <string>
#include <string_view>

namespace mpf {

/// Around a cell they do not count.
inline bool isCellBlank(char c) { return c == ' ' || c == '\t'; }

struct CsvCell {
  std::string_view text; ///< unquoted; valid until the next cell
  /// As it stands in the row, with its quotes; blanks around these are none of it.
  std::string_view raw;
  SourceRange range;     ///< in the row, with the quotes
  bool isBroken = false; ///< a quote that is not closed, or something behind the closing one
};

class CsvCells {
public:
  /// A row without its end. At most 4 GiB. It must outlive this object, and so must 8 bytes behind
  /// it that may be read.
  explicit CsvCells(std::string_view row) : row_(row) {}

  /// False: there are no more. An empty row has one cell.
  bool next(CsvCell &cell);

private:
  size_t skipBlanks(size_t at) const;
  void takeQuoted(CsvCell &cell);

  std::string_view row_;
  size_t at_ = 0; ///< where the next cell starts; behind the end: there is none
  std::string unquoted_;
};

} // namespace mpf
