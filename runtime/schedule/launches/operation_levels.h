// LEVELS of operations: no operation of a level must come after another, and each is in the
// earliest level possible. In a bucket tree these are the levels of breadth-first search from the
// leaves; the Clique Collector of ICPP'10 (section 4.2.1) collects cliques in them. Propagation in
// two phases has such levels downwards too.
#pragma once

#include "codegen/bundle/bundle.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Operations that may change places among each other, by index and ascending.
struct Stretch {
  std::vector<uint32_t> operations;
};

/// Returns the operations that run, cut where the loop changes or slices are added up. The executor
/// adds slices up between launches, so sums over slices are in no stretch.
std::vector<Stretch> stretchesOf(const Bundle &bundle, const std::vector<char> &runs);

/// Operations [first, first + count) that a launch computes together.
struct LaunchUnit {
  uint32_t first = 0, count = 1;
  std::vector<uint32_t> behind; ///< earlier units of the stretch that must come before, as indices
};

/// Returns the units of a stretch. `unitStarts`: the operations with which a unit begins. `order`:
/// arenaOrder.
std::vector<LaunchUnit> unitsOf(const Stretch &stretch, const std::vector<uint32_t> &unitStarts,
                                const std::vector<std::vector<uint32_t>> &order);

/// Returns the units of each level, ascending. A unit is one level above the highest unit in its
/// `behind`.
std::vector<std::vector<uint32_t>> levelsOf(const std::vector<LaunchUnit> &units);

} // namespace mpf
