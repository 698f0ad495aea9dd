// Which loops of a sliced program threads of a CPU compute side by side, slice by slice. Planner,
// bundle and executor use this rule.
#pragma once

#include "dsl/support/counts.h"
#include "dsl/support/loop_tree.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpf {

/// A loop of which several slices are computed at a time.
struct SideBySide {
  uint32_t loop = 0;   ///< counted from 1
  uint64_t slices = 1; ///< at a time: 2 or more
};

/// Returns the loops for `threads` threads, ascending; none is inside another one. Of loops inside
/// each other, it is the one with the most slices at a time, the outermost among equals. No more
/// slices are computed at a time than save a round. `extentOf(k)` returns the slices of loop k.
template <class ExtentOf>
std::vector<SideBySide> loopsSideBySide(const LoopTree &tree, uint64_t threads, ExtentOf extentOf) {
  const auto atOnce = [&](uint32_t loop) -> uint64_t {
    const uint64_t slices = extentOf(loop);
    return ceilDivide(slices, ceilDivide(slices, threads));
  };
  std::vector<uint64_t> inside(tree.count() + 1, 1); // the most of all loops inside
  for (uint32_t loop = tree.count(); loop > 0; --loop) {
    uint64_t &around = inside[tree.parent(loop)];
    around = std::max({around, inside[loop], atOnce(loop)});
  }
  std::vector<SideBySide> found;
  std::vector<char> isOpen(tree.count() + 1, 0); // loops that are not found, nor inside one
  isOpen[0] = 1;
  for (uint32_t loop = 1; loop <= tree.count(); ++loop) {
    if (!isOpen[tree.parent(loop)])
      continue;
    const uint64_t own = atOnce(loop);
    isOpen[loop] = own < inside[loop];
    if (own > 1 && !isOpen[loop])
      found.push_back({loop, own});
  }
  return found;
}

/// Returns the most slices at a time of any loop.
template <class ExtentOf>
uint64_t mostSideBySide(const LoopTree &tree, uint64_t threads, ExtentOf extentOf) {
  uint64_t most = 1;
  for (const SideBySide &found : loopsSideBySide(tree, threads, extentOf))
    most = std::max(most, found.slices);
  return most;
}

} // namespace mpf
