// Finds the ends of rows of a list in CSV (RFC 4180): at a line end outside of quotes.
//
//   3,"two      one row: the cell is closed, and a comma follows it
//   lines",yes
//   3,"two      a separate row, which is bad: the next quote opens another cell
//   4,"lines",yes
//
// A quote has its meaning of RFC 4180 if only blanks separate it from the start of a cell. A row
// with a cell that is not properly closed ends with its line, so that an unpaired quote does not
// affect the following rows.
#pragma once

#include <cstddef>

namespace mpf {

/// Returns the byte behind the line feed that ends the row at `row`, which is before the end of the
/// text. Returns null if the text up to `end` does not show the end of the row. With `isAll` the
/// text ends at `end` with a line feed, and the result is never null.
const char *endOfRow(const char *row, const char *end, bool isAll);

/// Returns the byte behind the last line feed of [begin, end) that certainly ends a row; null if
/// there is none. A row starts at `begin`. 64 bytes behind the end must be readable.
const char *lastRowEnd(const char *begin, const char *end);

/// The end of the lines with the first `most` rows of [begin, end), and the number of these rows.
/// The text has whole rows. Lines without any character are no rows.
struct CsvRowsEnd {
  const char *end = nullptr;
  size_t rows = 0;
};
CsvRowsEnd endOfRows(const char *begin, const char *end, size_t most);

} // namespace mpf
