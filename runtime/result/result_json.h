// Prints a complete result as JSON, for programs.
#pragma once

#include "runtime/result/result.h"

namespace mpf {

/// A table has its variables, their extents, and their labels in the order of the states: null for
/// a variable whose states are numbers. Numbers are given as logs (log10, ln) and, where a double
/// holds it, as "value"; tables as lists of values, or of log10 where some entry does not fit.
/// Infinite numbers are the texts "inf" and "-inf". For queries in u64 and u128, "count" and
/// "counts" hold the exact numbers as texts, since most readers keep 53 bits of a number. Keys are
/// in a fixed order; the text ends with a newline.
std::string resultToJson(const Result &result);

/// The object for a refused query, in place of its result: `query`, `error` and `exit_code`.
std::string refusalToJson(const std::string &query, const std::string &error, int exitCode);

} // namespace mpf
