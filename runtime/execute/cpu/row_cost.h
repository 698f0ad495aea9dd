// Predicts the time of the row path on one thread. It is compared with the time of tiles and, with
// compiled/compiled_cost.h, of compiled kernels.
#pragma once

#include "runtime/execute/cpu/cpu_operation.h"

namespace mpf {

/// Returns the time for linear entries, in nanoseconds. `op.rows` must be set.
double rowTimeNs(const CpuOperation &op, const TileTarget &target);

/// Returns the time for logarithms, in nanoseconds, comparable with TileShape::timeNs for linear
/// entries. One exponential per address costs more than the loads of entries.
double logRowTimeNs(const CpuOperation &op);

} // namespace mpf
