// Reports bad rows at the end of a list.
#pragma once

#include "dsl/support/cases/case_source.h"

#include <cstdint>
#include <string>

namespace mpf::driver {

/// Returns "3 rows", or "3 cases" for a list with swept params, each of whose rows makes several
/// cases.
std::string countedRows(uint64_t count, bool areSwept);

/// Prints the messages to stderr. Returns " (the first 10 are shown)", or nothing if all are shown.
std::string showMessages(const BadRows &rows);

} // namespace mpf::driver
