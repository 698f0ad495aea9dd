// Answers cases that a host program stores in the memory of the device.
#pragma once

#include "runtime/execute/gpu/lanes/gpu_case_arrays.h"
#include "runtime/execute/gpu/lanes/lane_launcher.h"
#include "runtime/execute/lanes/lane_executor.h"

#include <memory>
#include <mutex>

namespace mpf {

/// Thread-safe. The launcher must outlive it.
class GpuLaneArrays final : public DeviceLanes {
public:
  /// `kernels`: compiles kernels that convert arrays.
  GpuLaneArrays(LaneLauncher &launcher, const KernelStoreOptions &kernels);

  DeviceCaseLayout layout() const override;
  void run(const DeviceCaseBlock &block, void *stream) override;
  void run(const DeviceCaseArrays &arrays, void *stream) override;
  DeviceCaseCounts counts() override;

private:
  LaneLauncher &launcher_;
  const LaneProgram &program_;
  const LaneKernel &kernel_;
  const KernelStoreOptions kernels_;
  std::mutex making_;                     ///< guards arrays_
  std::unique_ptr<GpuCaseArrays> arrays_; ///< made for the first arrays of a host program
};

} // namespace mpf
