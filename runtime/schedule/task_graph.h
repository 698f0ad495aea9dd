// TASK GRAPH: which operations of a stretch may run side by side on threads of the CPU. Branches of
// a bucket tree are independent of each other; what keeps operations apart is that one reads what
// another writes, and that results share memory (arena_order.h).
//
// Operations that are too short to be handed to a thread one by one are taken together, those of a
// branch or of a level: they make a UNIT, which one thread runs from first to last. Any order in
// which each unit comes behind those it waits for gives the same bits as the bundle's. Units are
// listed by what follows them, the longest chain first (list scheduling by critical path; Adam,
// Chandy and Dickson 1974).
#pragma once

#include "codegen/bundle/bundle.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace mpf {

struct TaskGraph {
  struct Unit {
    uint32_t first = 0, count = 0; ///< into operations
    uint32_t waits = 0;            ///< for so many other units, all before it
    uint32_t firstFollower = 0;    ///< into followers, up to the next unit's
  };
  std::vector<uint32_t> operations; ///< indices into Bundle::operations; ascending in a unit
  std::vector<Unit> units;
  std::vector<uint32_t> followers; ///< units that wait for a unit, ascending

  bool empty() const { return units.empty(); }
  std::span<const uint32_t> followersOf(uint32_t unit) const {
    const uint32_t begin = units[unit].firstFollower;
    const size_t end = unit + 1 < units.size() ? units[unit + 1].firstFollower : followers.size();
    return std::span(followers).subspan(begin, end - begin);
  }
};

/// Of `operations`, ascending, none of them a sum over slices, all of one loop: nothing else runs
/// meanwhile. An operation of `grainNs` or more is a unit of its own; shorter ones are taken
/// together up to that. Time: as arenaOrder.
TaskGraph buildTaskGraph(const Bundle &bundle, const std::vector<uint32_t> &operations,
                         const std::function<double(uint32_t)> &operationNs, double grainNs);

} // namespace mpf
