#include "runtime/execute/host/spread_plan.h"

#include <algorithm>
#include <vector>

namespace mpf {

namespace {

double unitNs(const TaskGraph &graph, const TaskGraph::Unit &unit, const OperationNs &operationNs,
              size_t threads, double sharing, const SpreadOptions &spread) {
  double timeNs = 0;
  for (uint32_t i = 0; i < unit.count; ++i) {
    const double oneNs = operationNs(graph.operations[unit.first + i]);
    timeNs += oneNs / std::min(static_cast<double>(partCount(oneNs, threads, spread)), sharing);
  }
  return timeNs;
}

} // namespace

double longestChainNs(const TaskGraph &graph, const OperationNs &operationNs, size_t threads,
                      double sharing, const SpreadOptions &spread) {
  std::vector<double> startNs(graph.units.size(), 0);
  double longestNs = 0;
  for (uint32_t u = 0; u < graph.units.size(); ++u) {
    const double endNs =
        startNs[u] + unitNs(graph, graph.units[u], operationNs, threads, sharing, spread);
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
    const double chainNs = longestChainNs(graph, operationNs, threads, count, spread);
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
