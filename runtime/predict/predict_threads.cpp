#include "runtime/predict/predict_threads.h"

#include "runtime/execute/host/spread_options.h"
#include "runtime/schedule/task_graph.h"

#include <algorithm>

namespace mpf {

namespace {

constexpr double kNsPerUs = 1000;

class Spread {
public:
  Spread(const Bundle &bundle, std::span<const double> oneThreadUs, const CpuSpeed &speed,
         size_t threads)
      : bundle_(bundle), oneThreadUs_(oneThreadUs), speed_(speed), threads_(threads) {}

  /// Of the time on one thread; of what runs together: operations of one loop, ascending.
  double share(std::vector<uint32_t> operations) const {
    double workUs = 0;
    for (const uint32_t operation : operations)
      workUs += oneThreadUs_[operation];
    if (workUs * kNsPerUs < options_.leastRunNs)
      return 1;
    const TaskGraph graph = buildTaskGraph(
        bundle_, std::move(operations),
        [this](uint32_t operation) { return oneThreadUs_[operation] * kNsPerUs; }, options_.unitNs);
    const double spreadUs = std::max(workUs / speedupOf(threads_, speed_), longestChainUs(graph));
    return std::min(1.0, (speed_.wakeUs + spreadUs) / workUs);
  }

private:
  double unitUs(const TaskGraph &graph, const TaskGraph::Unit &unit) const {
    double timeUs = 0;
    for (uint32_t i = 0; i < unit.count; ++i) {
      const double oneUs = oneThreadUs_[graph.operations[unit.first + i]];
      const auto parts = static_cast<double>(partCount(oneUs * kNsPerUs, threads_, options_));
      timeUs += oneUs / std::min(parts, speedupOf(threads_, speed_));
    }
    return timeUs;
  }

  double longestChainUs(const TaskGraph &graph) const {
    std::vector<double> startUs(graph.units.size(), 0);
    double longestUs = 0;
    for (uint32_t u = 0; u < graph.units.size(); ++u) {
      const double endUs = startUs[u] + unitUs(graph, graph.units[u]);
      for (const uint32_t follower : graph.followersOf(u))
        startUs[follower] = std::max(startUs[follower], endUs);
      longestUs = std::max(longestUs, endUs);
    }
    return longestUs;
  }

  const Bundle &bundle_;
  const std::span<const double> oneThreadUs_;
  const CpuSpeed &speed_;
  const size_t threads_;
  const SpreadOptions options_;
};

} // namespace

double speedupOf(size_t threads, const CpuSpeed &speed) {
  const auto count = static_cast<double>(threads);
  return count / (1 + speed.serialShare * (count - 1));
}

std::vector<double> spreadOverThreads(const Bundle &bundle, std::span<const double> oneThreadUs,
                                      const CpuSpeed &speed, size_t threads) {
  std::vector<double> times(oneThreadUs.begin(), oneThreadUs.end());
  if (threads == 1)
    return times;
  const Spread spread(bundle, oneThreadUs, speed, threads);
  std::vector<std::vector<uint32_t>> loops(bundle.loopRuns().size());
  for (uint32_t i = 0; i < bundle.operations.size(); ++i)
    if (!bundle.operations[i].accumulates)
      loops[bundle.operations[i].loop].push_back(i);
  for (const std::vector<uint32_t> &operations : loops) {
    const double share = spread.share(operations);
    for (const uint32_t operation : operations)
      times[operation] *= share;
  }
  return times;
}

} // namespace mpf
