// Leads a run of a sliced program through its slices on the device, along its steps
// (slices/slice_steps.h). Passes of a loop whose launches are equal become a CUDA graph.
#pragma once

#include "runtime/execute/gpu/gpu_slice_kernels.h"
#include "runtime/execute/gpu/runs/driver_refusals.h"
#include "runtime/execute/gpu/runs/gpu_launcher.h"
#include "runtime/execute/gpu/runs/gpu_plans.h"
#include "runtime/schedule/slices/replicate_slices.h"

#include <cstdint>
#include <span>

namespace mpf {

/// Not thread-safe; what the constructor takes must outlive it. It does not wait for the device.
class SlicePlayer {
public:
  SlicePlayer(const CudaDevice &device, const ReplicatedBundle &program,
              const SliceKernels &kernels, GpuLauncher &launcher, DriverRefusals &refusals);

  /// Resets what the kernels of slices keep, for a run.
  void reset() const { kernels_.begin(); }
  /// Plays all steps of the plan. A recording contains only launches, no other graphs.
  void play(GpuPlan &plan, bool isRecorded);

private:
  void playSteps(GpuPlan &plan, std::span<const SliceStep> steps, bool isRecorded);
  void enterPass(const GpuPlan &plan, uint32_t loop);
  void playPass(GpuPlan &plan, const SliceStep &loop, uint32_t pass, bool isRecorded);
  void playPasses(GpuPlan &plan, const SliceStep &loop, uint32_t first, uint32_t end,
                  bool isRecorded);
  uint32_t passesOfGraph(const SliceStep &loop) const;
  void recordLoop(GpuPlan &plan, const SliceStep &loop, uint32_t passes);
  uint32_t playGraphs(GpuPlan &plan, const SliceStep &loop);

  const CudaDevice &device_;
  const ReplicatedBundle &program_;
  const SliceKernels &kernels_;
  GpuLauncher &launcher_;
  DriverRefusals &refusals_;
};

} // namespace mpf
