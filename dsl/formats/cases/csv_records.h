// Where the rows of a list in CSV end (RFC 4180): at a line end outside of quotes.
//
//   3,"two      one row: the cell is closed, and a comma stands behind it
//   lines",yes
//   3,"two      a row of its own, which is bad: what would close the cell opens another one
//   4,"lines",yes
//
// A quote is one of RFC 4180 where it starts a cell, but for blanks. Of a cell that is not closed
// as it should be, the row ends with its line, so that an unpaired quote spoils one row and not
// those behind it.
#pragma once

#include <cstddef>

namespace mpf {

/// Behind the line feed that ends the row at `row`, which is not the end of the text. Null: the
/// text up to `end` does not tell; `isAll`, that it ends there with a line feed, makes that
/// impossible.
const char *endOfRow(const char *row, const char *end, bool isAll);

/// Behind the last line feed of [begin, end) that surely ends a row, where `begin` starts one;
/// null: there is none. 64 bytes behind the end must be readable.
const char *lastRowEnd(const char *begin, const char *end);

/// The end of the lines that hold the first `most` rows of [begin, end), which are whole rows; how
/// many there are. Lines without any character are no rows.
struct CsvRowsEnd {
  const char *end = nullptr;
  size_t rows = 0;
};
CsvRowsEnd endOfRows(const char *begin, const char *end, size_t most);

} // namespace mpf
