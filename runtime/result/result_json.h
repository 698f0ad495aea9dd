// Prints a complete result as JSON, for programs.
#pragma once

#include "runtime/result/result.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace mpf {

/// The params and the evidence that a caller set beside the model.
struct GivenValues {
  /// Names with their numbers, or with the texts of arrays.
  std::vector<std::pair<std::string, std::variant<double, std::string>>> params;
  std::string observed, unobserved; ///< in the words of a model; empty: none
  bool empty() const { return params.empty() && observed.empty() && unobserved.empty(); }
};

/// Returns a result as JSON, with keys in a fixed order and a newline at the end.
/// - A table has variables, their extents, and their labels in the order of states. The labels are
///   null for a variable whose states are numbers.
/// - A number has logarithms (log10, ln) and, where a double holds it, "value". A table is a list
///   of values, or of log10 where some entry does not fit a double.
/// - Infinite numbers are the texts "inf" and "-inf".
/// - "count" and "counts" hold exact numbers of u64 and u128 as texts, since most readers of JSON
///   keep 53 bits of a number.
/// - "given" has the members of `given` that are not empty; without any it is left out.
std::string resultToJson(const Result &result, const GivenValues &given = {});

/// Returns the object for a refused query, in place of a result: `query`, `error`, `exit_code`.
std::string refusalToJson(const std::string &query, const std::string &error, int exitCode);

} // namespace mpf
