// Plays a prepared run of a program on the device's stream: launch by launch, or, if it recurs, as
// one graph with its resets and downloads.
#pragma once

#include "runtime/execute/gpu/runs/driver_refusals.h"
#include "runtime/execute/gpu/runs/gpu_launcher.h"
#include "runtime/execute/gpu/runs/gpu_plans.h"
#include "runtime/execute/gpu/runs/gpu_states.h"
#include "runtime/execute/gpu/runs/input_uploads.h"
#include "runtime/execute/gpu/runs/result_downloads.h"
#include "runtime/execute/gpu/runs/slice_player.h"

#include <optional>

namespace mpf {

/// Not thread-safe; what the constructor takes must outlive it. It waits only for ranges that the
/// host must read (LaunchPlan::hostDecides).
class RunPlayer {
public:
  /// `slices`: null if the program has no slices, or the host leads.
  RunPlayer(const CudaDevice &device, const GpuStates &states, GpuLauncher &launcher,
            InputUploads &inputs, ResultDownloads &results, SlicePlayer *slices,
            DriverRefusals &refusals);

  /// Starts a run: replays its graph if there is one, else plays it.
  void start(GpuPlan &plan);
  /// Starts resets, launches and downloads. `isRecorded`: a graph records them.
  void play(GpuPlan &plan, bool isRecorded);
  /// Resets the states with which a run of the plan begins.
  void reset(const GpuPlan &plan) const;

private:
  bool replay(GpuPlan &plan);
  void record(GpuPlan &plan, std::optional<GpuPlan::RecordedRun> &recorded);
  void playLaunches(GpuPlan &plan, bool isRecorded);

  const CudaDevice &device_;
  const GpuStates &states_;
  GpuLauncher &launcher_;
  InputUploads &inputs_;
  ResultDownloads &results_;
  SlicePlayer *const slices_;
  DriverRefusals &refusals_;
};

} // namespace mpf
