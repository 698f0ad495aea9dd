// How long a piece of work takes on a GPU, seen in one of three ways.
#pragma once

#include "runtime/execute/gpu/cuda_graph.h"
#include "tools/mpf-bench/measure/gpu_timing.h"
#include "tools/mpf-bench/measure/sweep_l2.h"

#include <functional>
#include <optional>

namespace mpf::bench {

/// Work on the tables of one of `placements` disjoint places.
struct PlacedWork {
  std::function<void(uint64_t placement)> launch;
  uint64_t placements = 1;
  uint64_t bytes = 0;     ///< that a launch moves at least
  double predictedUs = 0; ///< of a launch
};

/// Not thread-safe. The device must outlive it.
class GpuTimer {
public:
  GpuTimer(const CudaDevice &device, KernelStore &store, GpuTiming timing, unsigned repeats,
           double seconds);
  /// Median of the repetitions, fewer where all their launches would take longer than `seconds`.
  double medianUs(const PlacedWork &work);

private:
  /// So many launches one after another.
  struct Repetition {
    double us = 0;
    uint64_t launches = 1;
  };
  Repetition alone(const PlacedWork &work);
  Repetition train(const PlacedWork &work, std::optional<CudaGraph> &graph);
  Repetition warm(const PlacedWork &work);

  const CudaDevice &device_;
  GpuTiming timing_;
  unsigned repeats_;
  double seconds_;
  std::optional<SweepL2> sweep_; ///< none for Warm
};

} // namespace mpf::bench
