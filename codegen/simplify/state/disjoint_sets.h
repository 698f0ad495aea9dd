// Finds connected components by union-find (Tarjan 1975). A simplified problem loses those that no
// answer needs; the planner orders each one alone.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace mpf {

/// A partition of the numbers 0 .. count - 1, at first into sets of one. Numbers must be in range.
/// Not thread-safe: find() shortens paths.
class DisjointSets {
public:
  explicit DisjointSets(size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), uint32_t{0});
  }
  /// The representative of the set that holds `x`: always its least member, so that results do not
  /// depend on the order of joins.
  uint32_t find(uint32_t x) {
    while (parent_[x] != x)
      x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  /// Unites the sets that hold `a` and `b`.
  void join(uint32_t a, uint32_t b) {
    a = find(a), b = find(b);
    if (a != b)
      parent_[a < b ? b : a] = a < b ? a : b;
  }

private:
  std::vector<uint32_t> parent_;
};

} // namespace mpf
