// Computes programs of whole numbers by their definition, in numbers of any size.
#pragma once

#include "codegen/bundle/bundle.h"
#include "tests/oracle/brute/big_count.h"

#include <optional>
#include <string>
#include <vector>

namespace mpf::oracle {

struct ExpectedCounts {
  std::vector<std::vector<BigCount>> tables; ///< by buffer
  /// The first operation with an entry that does not fit the bundle's type; later tables are empty.
  std::optional<std::string> lost;
};

/// Counts by enumeration. Inputs are in their layout as declared, nothing is observed
/// (BundleBuilder's).
ExpectedCounts countByBruteForce(const Bundle &bundle);

} // namespace mpf::oracle
