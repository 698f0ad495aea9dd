// SUPERSTEPS of a program on two devices, as the bulk-synchronous machine of Valiant (1990) has
// them: in each, both devices run their operations at the same time; then they wait for each other,
// and tables cross. An operation that reads a table from the other device runs in a later superstep
// than what writes it; apart from that each operation runs as early as it can.
#pragma once

#include "runtime/schedule/placement/placement_tasks.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// By task; no task comes before one that it must come behind (arena_order.h): a table crosses
/// before its memory is written again, on either device. Deterministic.
std::vector<uint32_t> superstepsOf(const PlacementTasks &tasks,
                                   const std::vector<StepDevice> &devices);

} // namespace mpf
