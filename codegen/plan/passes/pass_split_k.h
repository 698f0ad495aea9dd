// Cuts long sums with few results into splits where a GPU's kernels gain by it (split_k.h).
//
// passSplitReductions does so at whole variables, for any device and by rule of thumb: it sees to
// it that there is something to do in parallel at all. This pass asks the cost model of the kernels
// and may cut a single variable, so that a matrix product with a small result and a long sum fills
// all multiprocessors. After the passes that share and keep tables: splits are neither.
#pragma once

#include "codegen/plan/program/device_costs.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

void passSplitK(TableProgram &program, DeviceCosts &costs);

} // namespace mpf
