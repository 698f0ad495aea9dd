// LEVELS of operations: those that nothing keeps apart stand in one level, each as early as it can.
// For a bucket tree these are the levels of breadth-first search from the leaves, in which the
// Clique Collector of ICPP'10 (section 4.2.1) collects cliques; in propagation over two phases,
// down too.
#pragma once

#include "codegen/bundle/bundle.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Operations that may change places among each other, by index and ascending.
struct Stretch {
  std::vector<uint32_t> operations;
};

/// The operations that run, cut where the loop changes or slices are added up, which the executor
/// does between launches. Sums over slices are in no stretch.
std::vector<Stretch> stretchesOf(const Bundle &bundle, const std::vector<char> &runs);

/// Operations [first, first + count) that a launch computes together, and what they must come
/// behind.
struct LaunchUnit {
  uint32_t first = 0, count = 1;
  std::vector<uint32_t> behind; ///< indices of earlier units of the stretch
};

/// `unitStarts`: the stretch's operations with which a unit begins. `order`: arenaOrder.
std::vector<LaunchUnit> unitsOf(const Stretch &stretch, const std::vector<uint32_t> &unitStarts,
                                const std::vector<std::vector<uint32_t>> &order);

/// By level: the units in it, ascending. Each is one level above the highest unit that it must come
/// behind.
std::vector<std::vector<uint32_t>> levelsOf(const std::vector<LaunchUnit> &units);

} // namespace mpf
