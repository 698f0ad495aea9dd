#include "runtime/execute/threads/spread_plan.h"

#include <algorithm>
#include <vector>

namespace mpf {

double longestChainNs(const TaskGraph &graph, const OperationNs &operationNs) {
  std::vector<double> startNs(graph.units.size(), 0);
  double longestNs = 0;
  for (uint32_t u = 0; u < graph.units.size(); ++u) {
    const TaskGraph::Unit &unit = graph.units[u];
    double endNs = startNs[u];
    for (uint32_t i = 0; i < unit.count; ++i)
      endNs += operationNs(graph.operations[unit.first + i]);
    for (const uint32_t follower : graph.followersOf(u))
      startNs[follower] = std::max(startNs[follower], endNs);
    longestNs = std::max(longestNs, endNs);
  }
  return longestNs;
}

size_t threadsWorthWaking(const TaskGraph &graph, const OperationNs &operationNs, size_t most,
                          const SpreadOptions &spread) {
  double workNs = 0;
  for (const uint32_t operation : graph.operations)
    workNs += operationNs(operation);
  size_t best = 1;
  double bestNs = workNs;
  for (size_t threads = 1; threads < most;) {
    threads = std::min(2 * threads, most);
    const auto count = static_cast<double>(threads);
    const double chainNs = longestChainNs(graph, [&](uint32_t operation) {
      const double oneNs = operationNs(operation);
      return oneNs / sharers(oneNs, threads, spread);
    });
    const double runNs =
        spread.wakeNs + spread.wakeEachNs * (count - 1) + std::max(workNs / count, chainNs);
    if (runNs <= bestNs) {
      best = threads;
      bestNs = runNs;
    }
  }
  return best;
}

} // namespace mpf
