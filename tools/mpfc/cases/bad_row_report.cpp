#include "tools/mpfc/cases/bad_row_report.h"

#include "tools/mpfc/process/output.h"

#include <fmt/format.h>

namespace mpf::driver {

std::string countedRows(uint64_t count, bool areSwept) {
  return areSwept ? counted(count, "case", "cases") : counted(count, "row", "rows");
}

std::string showMessages(const BadRows &rows) {
  for (const std::string &message : rows.messages)
    say("{}", message);
  return rows.isCut ? fmt::format(" (the first {} are shown)", rows.messages.size()) : "";
}

} // namespace mpf::driver
