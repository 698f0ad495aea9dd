// Cuts long sums with few results into splits where a GPU's kernels gain by it (split_k.h).
// Libraries of matrix products call this split-K, or the fixed-split decomposition (Osama et al.
// 2023 compare it with others).
//
// Sums are split at whole variables, for any device and by fixed sizes, in pass_split_reductions.h;
// that makes parallel work at all. This pass asks the cost model of the kernels and may cut inside
// a variable. So a matrix product with a small result and a long sum fills all multiprocessors.
// Runs after the passes that share and keep tables: tables in splits are neither shared nor kept.
#pragma once

#include "codegen/plan/program/device_costs.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

/// Replaces operations by two each where DeviceCosts::bestSplits is above 1. Only operations that
/// run and do not accumulate are replaced. If there is one, all chains are dropped.
void passSplitK(TableProgram &program, DeviceCosts &costs);

} // namespace mpf
