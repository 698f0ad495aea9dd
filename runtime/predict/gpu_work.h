// GPU WORK: what the launches of a bundle on a GPU have to do, as far as their time depends on it.
// predict_gpu.h makes times of it.
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
  double stretchUs = 0; ///< all of it by one block: how it compares with others of its launch
  double runs = 1;      ///< of its launches in one run of the program
  /// In one run of the program: launches that enter slices in front of it, or add slices up for it
  /// and the sums behind it.
  double sliceLaunches = 0;
};

struct GpuWork {
  std::vector<LaunchWork> launches; ///< in the order of the launch plan
  std::vector<OperationWork> operations;
  uint64_t slicesAtOnce = 1; ///< in the loop that has most of them
  uint64_t replicaBytes = 0; ///< of the tables of all of them but the first ones
};

/// Of the launches that a GPU executor makes where linear arithmetic holds, its results laid apart
/// (schedule/lay_apart.h) and its slices side by side (schedule/slices/choose_replicas.h). A bundle
/// without GPU kernels runs on the table-driven ones alone. `speed`: by which it plans them.
/// `runs`, by operation, not empty: a CPU runs the others. `joins`: which levels share a launch.
GpuWork gpuWork(const Bundle &bundle, const LevelSpeed &speed, const std::vector<char> &runs = {},
                JoinLevels joins = JoinLevels::Auto);

/// The copies of a run of all of it that stand beside these launches.
TransferPlan gpuTransfers(const Bundle &bundle, const GpuSpeed &speed);

} // namespace mpf
