// Times a piece of work on a GPU in one of three ways (gpu_timing.h).
#pragma once

#include "runtime/execute/gpu/cuda_graph.h"
#include "tools/mpf-bench/measure/flush_l2.h"
#include "tools/mpf-bench/measure/gpu_timing.h"

#include <functional>
#include <optional>

namespace mpf::bench {

/// Work that can run on any of `placements` disjoint sets of tables.
struct PlacedWork {
  std::function<void(uint64_t placement)> launch;
  uint64_t placements = 1;
  uint64_t bytes = 0;     ///< bytes that a launch moves at least
  double predictedUs = 0; ///< predicted time of a launch
};

/// Not thread-safe. The device must outlive it.
class GpuTimer {
public:
  GpuTimer(const CudaDevice &device, KernelStore &store, GpuTiming timing, unsigned repeats,
           double seconds);
  /// Returns the median of the repetitions. There are fewer repetitions when all would take longer
  /// than `seconds`.
  double medianUs(const PlacedWork &work);

private:
  /// The time of `launches` launches one after another.
  struct Repetition {
    double us = 0;
    uint64_t launches = 1;
  };
  Repetition timeAlone(const PlacedWork &work);
  Repetition timeTrain(const PlacedWork &work, std::optional<CudaGraph> &graph);
  Repetition timeWarm(const PlacedWork &work);

  const CudaDevice &device_;
  GpuTiming timing_;
  unsigned repeats_;
  double seconds_;
  std::optional<FlushL2> flush_; ///< none for GpuTiming::Warm
};

} // namespace mpf::bench
