// One bucket on one GPU: tables with seeded entries, launches of its kernel, a check against sums
// recomputed on the host in long double.
#pragma once

#include "codegen/bundle/table_state.h"
#include "codegen/kernel/kernel_plan.h"
#include "runtime/execute/gpu/cuda_device.h"

#include <string>
#include <vector>

namespace mpf::bench {

/// Not thread-safe.
class BucketRun {
public:
  /// Operand entries are a fixed function of their place, in [0.5, 1) (or their log2 when the plan
  /// is in log form).
  BucketRun(const CudaDevice &device, const KernelPlan &plan, const std::string &cubin);

  void launch();
  /// Median device time of `repeats` launches after one warm-up.
  double medianUs(unsigned repeats);
  /// Greatest relative error of the values of `count` seeded result entries; the result is poisoned
  /// with NaN before the launch that is checked.
  double worstError(unsigned count);

private:
  template <class T> void fillOperands();
  template <class T> double worstErrorOf(unsigned count);
  template <class T> double expectedEntry(uint64_t keptAddress) const;

  const CudaDevice &device_;
  const KernelPlan &plan_;
  CudaModule module_;
  CudaFunctionHandle function_;
  std::vector<DeviceMemory> operands_;
  DeviceMemory result_, states_;
};

} // namespace mpf::bench
