// The results of a program on one GPU: their downloads behind or between the launches of a run, and
// their copies on the host.
#pragma once

#include "codegen/bundle/table_state.h"
#include "runtime/execute/gpu/gpu_slice_kernels.h"
#include "runtime/execute/gpu/host_image.h"
#include "runtime/execute/gpu/runs/beside_stream.h"
#include "runtime/execute/gpu/runs/gpu_arenas.h"
#include "runtime/execute/gpu/runs/gpu_plans.h"
#include "runtime/execute/gpu/runs/gpu_states.h"
#include "runtime/schedule/slices/replicate_slices.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpf {

/// Not thread-safe; what the constructor takes must outlive it.
class ResultDownloads {
public:
  /// `slices`: null if no kernels lead through slices.
  ResultDownloads(const CudaDevice &device, const ReplicatedBundle &program,
                  const GpuArenas &arenas, const GpuStates &states, const SliceKernels *slices,
                  BesideStream &beside);

  /// True if there is room on the host for the plan's results.
  bool holds(const GpuPlan &plan) const;
  /// Makes this room at another place.
  void reserve(const GpuPlan &plan);
  /// Locks the memory of results, because their copies recur. Recorded runs then include them.
  void lock() { image_.lock(); }
  /// Begins a run. `isWanted`: its results are downloaded.
  void begin(bool isWanted);
  /// Starts to download results that are final after the launch, while other launches follow.
  void startBehind(const GpuPlan &plan, size_t launch);
  /// Starts the other downloads, behind the last launch. Copies to unlocked memory would block the
  /// host, so finish() starts them.
  void startLast(const GpuPlan &plan);
  /// True if the run's downloads have been started. A replayed graph has those of its recording.
  bool areStarted() const { return areStarted_; }
  void setStarted(bool areStarted) { areStarted_ = areStarted; }
  /// Starts the downloads that have not been started, waits for all, and returns the states, one
  /// per buffer.
  std::vector<TableState> finish(const GpuPlan &plan);

  /// Returns the faults of all slices and the best slices of a sliced program, after finish().
  const SliceKernels::Outcome &outcome() const { return outcome_; }
  /// Returns a wanted result after finish(), in the bundle's layout, valid until the next run. Null
  /// for other buffers.
  const std::byte *result(const GpuPlan &plan, BufferId buffer) const;

private:
  uint64_t firstBytes() const;
  void startDownload(const GpuPlan::DownImage &down, const CudaStream *beside) const;
  void startRest(const GpuPlan &plan, bool withGroups);
  void noteLostReplicas(const std::vector<TableState> &states);

  const CudaDevice &device_;
  const ReplicatedBundle &program_;
  const GpuArenas &arenas_;
  const GpuStates &states_;
  const SliceKernels *const slices_;
  BesideStream &beside_;
  HostImage image_; ///< states by buffer, the outcome of slices, then GpuPlan::downloads
  bool isWanted_ = true, areStarted_ = false;
  SliceKernels::Outcome outcome_; ///< outcome of the last finished run
};

} // namespace mpf
