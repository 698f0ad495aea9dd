// The begin of every run of a program on one GPU: the plan of the chosen operations, the
// uploads of states and inputs, and room for the results.
#pragma once

#include "runtime/execute/gpu/chosen_operations.h"
#include "runtime/execute/gpu/runs/gpu_launcher.h"
#include "runtime/execute/gpu/runs/input_uploads.h"
#include "runtime/execute/gpu/runs/plan_cache.h"
#include "runtime/execute/gpu/runs/result_downloads.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Not thread-safe; what the constructor takes must outlive it.
class RunSetup {
public:
  RunSetup(const ReplicatedBundle &program, GpuStates &states, PlanCache &plans,
           InputUploads &inputs, ResultDownloads &results, GpuLauncher &launcher);

  /// Sets the operations of later runs, one flag each of the given bundle; at first all. `wanted`:
  /// buffers of the results that runs download.
  void setOperations(const std::vector<char> &runs, std::vector<uint32_t> wanted);
  const ChosenOperations &operations() const { return operations_; }

  /// Makes the plan of the operations the current one, and starts all uploads of a run. With
  /// `mayWaitForInputs`, launches may wait for inputs (InputUploads::waits).
  GpuPlan &prepare(const GpuPlans::Kind &kind, bool mayWaitForInputs = false);
  GpuPlan &plan() { return plans_.inUse(); }
  const GpuPlan &plan() const { return plans_.inUse(); }

private:
  const ReplicatedBundle &program_;
  GpuStates &states_;
  PlanCache &plans_;
  InputUploads &inputs_;
  ResultDownloads &results_;
  GpuLauncher &launcher_;
  ChosenOperations operations_;
  std::vector<uint32_t> wanted_; ///< ascending
};

} // namespace mpf
