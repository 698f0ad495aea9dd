// SUPERSTEPS of a program on several devices, like those of the bulk-synchronous machine of Valiant
// (1990). In each, all devices run their operations at the same time. Then they wait for each
// other, and tables cross. An operation runs in a later superstep than the writers of tables that
// it reads from another device; apart from that, as early as possible.
#pragma once

#include "runtime/schedule/placement/placement_tasks.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Returns the superstep of each task. No task comes before one in its `behind` (arena_order.h), so
/// a table crosses before its memory is written again, on any device. Deterministic.
std::vector<uint32_t> superstepsOf(const PlacementTasks &tasks,
                                   const std::vector<DeviceId> &devices);

} // namespace mpf
