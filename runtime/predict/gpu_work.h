// GPU WORK: the work of a bundle's launches on a GPU, as far as their time depends on it.
// predict_gpu.h turns it into times.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/machine/machine_speed.h"
#include "runtime/schedule/launches/join_levels.h"
#include "runtime/schedule/launches/launch_time.h"
#include "runtime/schedule/transfers/transfer_plan.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct OperationWork {
  double stretchUs = 0; ///< time of the operation in one block; its weight among its launch
  double runs = 1;      ///< number of its launches in one run of the program
  /// Launches, in one run of the program, that enter slices before this operation, or add slices up
  /// for it and the sums after it.
  double sliceLaunches = 0;
};

struct GpuWork {
  std::vector<LaunchWork> launches; ///< in the order of the launch plan
  std::vector<OperationWork> operations;
  uint64_t slicesAtOnce = 1; ///< slices side by side, in the loop with most of them
  uint64_t replicaBytes = 0; ///< memory of the tables of all slices side by side but the first
};

/// Returns the work of the launches of a GPU executor, if linear arithmetic is exact. Results are
/// laid apart (runtime/schedule/lay_apart.h), and slices are computed side by side
/// (runtime/schedule/slices/choose_replicas.h). A bundle without GPU kernels uses table-driven
/// kernels only. `speed`: the speed for which launches are planned. `runs`: a flag per operation;
/// the CPU runs those without it; empty: the GPU runs all. `joins`: which levels share a launch.
GpuWork gpuWork(const Bundle &bundle, const LevelSpeed &speed, const std::vector<char> &runs = {},
                JoinLevels joins = JoinLevels::Auto);

/// Returns the copies that overlap these launches, in a run of the whole bundle.
TransferPlan gpuTransfers(const Bundle &bundle, const GpuSpeed &speed);

} // namespace mpf
