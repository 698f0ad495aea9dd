// A minimal set of things that cannot hold together, out of many, by asking of subsets.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace mpf {

struct MinimalConflict {
  std::vector<size_t> items; ///< ascending; empty: nothing holds even without an item
  bool isMinimal = true;     ///< false: asking ended early, so fewer of them may do
};

/// A set of items out of 0 .. count - 1, which do not hold together, such that they do without any
/// one of them (QuickXplain: Junker 2004). `holds` says whether items, ascending, hold together;
/// more items hold less. Where it says nothing, asking has ended. It is asked some
/// 2 k (1 + log2(count / k)) times for a conflict of k.
MinimalConflict
minimalConflict(size_t count,
                const std::function<std::optional<bool>(std::span<const size_t>)> &holds);

} // namespace mpf
