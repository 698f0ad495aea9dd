// Finds a minimal set of items that cannot hold together, by queries of subsets.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace mpf {

struct MinimalConflict {
  std::vector<size_t> items; ///< ascending; empty: not even the empty set holds
  bool isMinimal = true;     ///< false: queries ended early, so a subset may conflict too
};

/// Returns a set of items out of 0 .. count - 1 that do not hold together, although they hold
/// without any one of them (QuickXplain: Junker 2004). `holds` returns whether items, ascending,
/// hold together, or nothing to end the search. A superset of items that do not hold must not hold
/// either. A conflict of k items takes about 2 k (1 + log2(count / k)) calls.
MinimalConflict
minimalConflict(size_t count,
                const std::function<std::optional<bool>(std::span<const size_t>)> &holds);

} // namespace mpf
