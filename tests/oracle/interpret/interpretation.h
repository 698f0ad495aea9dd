// Defines the results of interpreters of kernel plans.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace mpf {

struct Interpretation {
  std::vector<double> result;
  /// The first broken rule: out-of-bounds access, value read before it was written, a value
  /// outside a guard that reached an output, an entry written twice or never. Empty if none.
  std::string fault;
};

/// Returns the interpretation at its end: entries without a value were never written.
Interpretation finished(const std::vector<std::optional<double>> &result, std::string fault);

} // namespace mpf
