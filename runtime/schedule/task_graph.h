// TASK GRAPH: the operations that may run side by side on threads of the CPU. Branches of a bucket
// tree are independent. Operations are ordered only where one reads what another writes, or where
// results share memory (arena_order.h).
//
// Short operations of a branch or of a level form a UNIT, which one thread runs from first to last.
// Each unit runs after those it waits for; every such order gives the same bits. Units with the
// longest chain of followers come first (list scheduling by critical path; Adam, Chandy and Dickson
// 1974).
#pragma once

#include "codegen/bundle/bundle.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace mpf {

struct TaskGraph {
  struct Unit {
    uint32_t first = 0, count = 0; ///< its part of `operations`
    uint32_t waits = 0;            ///< number of units that it waits for, all before it
    uint32_t firstFollower = 0;    ///< begin of its part of `followers`
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

/// Returns the task graph of `operations`: ascending, all of one loop, none a sum over slices. No
/// other operation may run at the same time. An operation of `grainNs` or more is a unit; shorter
/// ones form units of up to `grainNs`. Takes as long as arenaOrder.
TaskGraph buildTaskGraph(const Bundle &bundle, const std::vector<uint32_t> &operations,
                         const std::function<double(uint32_t)> &operationNs, double grainNs);

} // namespace mpf
