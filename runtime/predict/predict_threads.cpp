#include "runtime/predict/predict_threads.h"

#include "runtime/execute/threads/spread_plan.h"
#include "runtime/schedule/task_graph.h"

#include <algorithm>
#include <map>
#include <utility>

namespace mpf {

namespace {

constexpr double kNsPerUs = 1000;

class Spread {
public:
  Spread(const Bundle &bundle, std::span<const double> oneThreadUs, const CpuSpeed &speed,
         size_t threads)
      : bundle_(bundle), oneThreadUs_(oneThreadUs), threads_(threads) {
    options_.costs = speed.threads;
  }

  /// Returns the time on all threads over that on one thread, of operations that run together.
  /// `operations`: operations of one loop, ascending.
  double share(const std::vector<uint32_t> &operations) const {
    double workUs = 0;
    for (const uint32_t operation : operations)
      workUs += oneThreadUs_[operation];
    if (workUs * kNsPerUs < options_.leastRunNs)
      return 1;
    const auto operationNs = [this](uint32_t operation) {
      return oneThreadUs_[operation] * kNsPerUs;
    };
    const TaskGraph graph = buildTaskGraph(bundle_, operations, operationNs, options_.unitNs);
    const size_t threads = threadsWorthWaking(graph, operationNs, threads_, options_);
    const double spreadNs = spreadRunNs(graph, operationNs, threads, options_);
    return std::min(1.0, spreadNs / (workUs * kNsPerUs));
  }

private:
  const Bundle &bundle_;
  const std::span<const double> oneThreadUs_;
  const size_t threads_;
  SpreadOptions options_;
};

} // namespace

double sharedUs(double oneUs, size_t threads, const CpuSpeed &speed) {
  SpreadOptions spread;
  spread.costs = speed.threads;
  return sharedNs(oneUs * kNsPerUs, threads, spread) / kNsPerUs;
}

std::vector<double> spreadOverThreads(const Bundle &bundle, std::span<const double> oneThreadUs,
                                      const CpuSpeed &speed, size_t threads,
                                      std::span<const uint32_t> groups) {
  std::vector<double> times(oneThreadUs.begin(), oneThreadUs.end());
  for (size_t i = 0; i < groups.size(); ++i)
    if (groups[i] == kNoGroup)
      times[i] = 0;
  if (threads == 1)
    return times;
  const Spread spread(bundle, oneThreadUs, speed, threads);
  std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> together; // by loop and group
  for (uint32_t i = 0; i < bundle.operations.size(); ++i) {
    const uint32_t group = groups.empty() ? 0 : groups[i];
    if (!bundle.operations[i].accumulates && group != kNoGroup)
      together[{bundle.operations[i].loop, group}].push_back(i);
  }
  for (const auto &[place, operations] : together) {
    const double share = spread.share(operations);
    for (const uint32_t operation : operations)
      times[operation] *= share;
  }
  return times;
}

} // namespace mpf
