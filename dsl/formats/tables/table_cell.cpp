#include "dsl/formats/tables/table_cell.h"

#include "dsl/support/files/lower_case.h"
#include "dsl/support/numbers/plain_decimal.h"
#include "dsl/support/numbers/table_number.h"
#include "dsl/syntax/spelling.h"

#include <charconv>
#include <cmath>
#include <fmt/core.h>

namespace mpf {

TableCell readTableCell(std::string_view cell) {
  TableCell read;
  const char *const end = cell.data() + cell.size();
  if (cell.empty() || cell == "_" || lowerCase(cell) == "nan") {
    read.kind = TableCell::Kind::Missing;
    return read;
  }
  if (scanPlainDecimal(cell.data(), end, read.value) == end) {
    read.kind = TableCell::Kind::Number;
    return read;
  }
  const auto [after, status] = std::from_chars(cell.data(), end, read.value);
  if (status == std::errc() && after == end && !std::isnan(read.value) &&
      !isBelowNormal(read.value)) {
    read.kind = TableCell::Kind::Number;
    return read;
  }
  const TableNumber number = readTableNumber(cell);
  read.value = number.nearest; // a leading '+', or more zeros than a double shows
  read.far = number.far;
  if (number.kind == TableNumber::Kind::Plain)
    read.kind = TableCell::Kind::Number;
  else if (number.kind == TableNumber::Kind::Far)
    read.kind = TableCell::Kind::Far;
  return read;
}

std::string missingText(std::string_view cell) {
  return cell.empty() ? "this cell is empty, a number is needed"
                      : fmt::format("expected a number, found '{}'", excerpt(cell));
}

} // namespace mpf
