#include "tools/mpf-bench/measure/gpu_timer.h"

#include "dsl/support/median.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace mpf::bench {

namespace {
// A train moves twenty times the size of L2, so the contents of L2 before and after hardly count.
constexpr double kTrainBytes = 1e9;
constexpr double kTrainLaunches = 64, kMostTrainLaunches = 512;
constexpr double kTrainUs = 2e4; ///< a train takes about this long, or two launches
} // namespace

GpuTimer::GpuTimer(const CudaDevice &device, KernelStore &store, GpuTiming timing, unsigned repeats,
                   double seconds)
    : device_(device), timing_(timing), repeats_(std::max(1u, repeats)), seconds_(seconds) {
  if (timing != GpuTiming::Warm)
    flush_.emplace(device, store);
}

double GpuTimer::medianUs(const PlacedWork &work) {
  std::vector<double> times;
  double sumUs = 0;
  std::optional<CudaGraph> graph; // no longer than what it launches
  while (times.size() < repeats_ && sumUs < seconds_ * 1e6) {
    const Repetition all = timing_ == GpuTiming::Alone   ? timeAlone(work)
                           : timing_ == GpuTiming::Train ? timeTrain(work, graph)
                                                         : timeWarm(work);
    times.push_back(all.us / static_cast<double>(all.launches));
    sumUs += all.us;
  }
  return median(std::move(times));
}

GpuTimer::Repetition GpuTimer::timeAlone(const PlacedWork &work) {
  const CudaEvent before(device_), after(device_);
  flush_->launch();
  before.record();
  work.launch(0);
  after.record();
  device_.synchronize();
  return {after.microsecondsSince(before), 1};
}

/// Times a train as one CUDA graph, without the host, like programs that run repeatedly. The first
/// launch is not counted.
GpuTimer::Repetition GpuTimer::timeTrain(const PlacedWork &work, std::optional<CudaGraph> &graph) {
  const double wanted = std::max(kTrainLaunches, kTrainBytes / std::max(1.0, double(work.bytes)));
  const double affordable = std::max(2.0, kTrainUs / std::max(1.0, work.predictedUs));
  const auto launches =
      static_cast<uint64_t>(std::ceil(std::min({wanted, affordable, kMostTrainLaunches})));
  if (!graph)
    graph.emplace(device_, [&] {
      for (uint64_t i = 1; i <= launches; ++i)
        work.launch(i % work.placements);
    });
  const CudaEvent before(device_), after(device_);
  flush_->launch();
  work.launch(0);
  before.record();
  graph->launch();
  after.record();
  device_.synchronize();
  return {after.microsecondsSince(before), launches};
}

/// Enough launches to hide the events and the first launch.
GpuTimer::Repetition GpuTimer::timeWarm(const PlacedWork &work) {
  constexpr unsigned kLaunches = 10;
  const CudaEvent before(device_), after(device_);
  work.launch(0);
  before.record();
  for (unsigned i = 0; i < kLaunches; ++i)
    work.launch(0);
  after.record();
  device_.synchronize();
  return {after.microsecondsSince(before), kLaunches};
}

} // namespace mpf::bench
