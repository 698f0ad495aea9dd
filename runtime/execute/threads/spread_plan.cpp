#include "runtime/execute/threads/spread_plan.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace mpf {

namespace {

constexpr double kNsPerUs = 1000;
/// Fewer threads are preferred if the run takes longer by this factor at most.
constexpr double kHardlyLonger = 1.05;

double crowded(double ns, double threads, const SpreadOptions &spread) {
  return ns * (1 + spread.costs.crowding * (threads - 1));
}

/// A chain of units that wait for each other.
struct Chain {
  double timeNs = 0;
  double workNs = 0; ///< work of all threads that share its operations
};

Chain longestChain(const TaskGraph &graph, const OperationNs &operationNs, size_t threads,
                   const SpreadOptions &spread) {
  const double handNs = spread.costs.handUs * kNsPerUs;
  std::vector<Chain> before(graph.units.size());
  Chain longest;
  for (uint32_t u = 0; u < graph.units.size(); ++u) {
    const TaskGraph::Unit &unit = graph.units[u];
    Chain chain = before[u];
    chain.timeNs += handNs;
    chain.workNs += handNs;
    for (uint32_t i = 0; i < unit.count; ++i) {
      const double oneNs = operationNs(graph.operations[unit.first + i]);
      chain.timeNs += sharedNs(oneNs, threads, spread);
      chain.workNs += crowded(oneNs, static_cast<double>(threads), spread);
    }
    for (const uint32_t follower : graph.followersOf(u))
      if (before[follower].timeNs < chain.timeNs)
        before[follower] = chain;
    if (longest.timeNs < chain.timeNs)
      longest = chain;
  }
  return longest;
}

} // namespace

double sharedNs(double oneNs, size_t threads, const SpreadOptions &spread) {
  const double shares = sharers(oneNs, threads, spread);
  if (shares <= 1)
    return oneNs;
  const double lostNs = spread.costs.sharingUs * std::sqrt(oneNs * kNsPerUs) * (1 - 1 / shares);
  return crowded(oneNs, shares, spread) / shares + lostNs;
}

double spreadRunNs(const TaskGraph &graph, const OperationNs &operationNs, size_t threads,
                   const SpreadOptions &spread) {
  double workNs = 0;
  for (const uint32_t operation : graph.operations)
    workNs += operationNs(operation);
  if (threads == 1)
    return workNs;
  const auto count = static_cast<double>(threads);
  const Chain chain = longestChain(graph, operationNs, threads, spread);
  const double allNs = crowded(workNs, count, spread) +
                       spread.costs.handUs * kNsPerUs * static_cast<double>(graph.units.size());
  return spread.costs.wakeUs * kNsPerUs * std::log2(count) + chain.timeNs +
         std::max(0.0, allNs - chain.workNs) / count;
}

size_t threadsWorthWaking(const TaskGraph &graph, const OperationNs &operationNs, size_t most,
                          const SpreadOptions &spread) {
  std::vector<size_t> counts{1};
  while (counts.back() < most)
    counts.push_back(std::min(2 * counts.back(), most));
  std::vector<double> times;
  for (const size_t threads : counts)
    times.push_back(spreadRunNs(graph, operationNs, threads, spread));
  const double good = *std::ranges::min_element(times) * kHardlyLonger;
  const auto fewest = std::ranges::find_if(times, [good](double ns) { return ns <= good; });
  return counts[static_cast<size_t>(fewest - times.begin())];
}

} // namespace mpf
