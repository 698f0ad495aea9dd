// What is said of rows that cannot be understood, by whoever reads a list to its end.
#pragma once

#include "dsl/support/cases/case_source.h"

#include <cstdint>
#include <string>

namespace mpf::driver {

/// "3 rows"; of a list with swept params, each of whose rows makes several cases, "3 cases".
std::string countedRows(uint64_t count, bool areSwept);

/// Prints the messages to stderr. Returns " (the first 10 are shown)", or nothing where all are.
std::string showMessages(const BadRows &rows);

} // namespace mpf::driver
