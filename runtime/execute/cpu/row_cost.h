// Predicted times of the row path, one thread: what decides between rows, tiles and, with
// compiled/compiled_cost.h, compiled kernels.
#pragma once

#include "runtime/execute/cpu/cpu_operation.h"

namespace mpf {

/// Linear entries. `op.rows` must be there.
double rowTimeNs(const CpuOperation &op, const TileTarget &target);

/// Logarithms, on the scale of TileShape::timeNs, which is that of linear entries: an exponential
/// for each address weighs more than how entries are loaded.
double logRowTimeNs(const CpuOperation &op);

} // namespace mpf
