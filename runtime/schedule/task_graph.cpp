#include "runtime/schedule/task_graph.h"

#include "runtime/schedule/arena_order.h"

#include <algorithm>

namespace mpf {

namespace {

/// Units as stretches of operations, without what they wait for.
std::vector<TaskGraph::Unit> cutIntoUnits(const std::vector<uint32_t> &operations,
                                          const std::function<double(uint32_t)> &operationNs,
                                          double grainNs) {
  std::vector<TaskGraph::Unit> units;
  double unitNs = 0; // of the last one
  for (uint32_t at = 0; at < operations.size(); ++at) {
    const double timeNs = operationNs(operations[at]);
    if (units.empty() || unitNs + timeNs > grainNs) {
      units.push_back({at, 0, 0, 0});
      unitNs = 0;
    }
    ++units.back().count;
    unitNs += timeNs;
  }
  return units;
}

} // namespace

TaskGraph buildTaskGraph(const Bundle &bundle, std::vector<uint32_t> operations,
                         const std::function<double(uint32_t)> &operationNs, double grainNs) {
  TaskGraph graph;
  graph.operations = std::move(operations);
  graph.units = cutIntoUnits(graph.operations, operationNs, grainNs);

  std::vector<char> runs(bundle.operations.size(), 0);
  std::vector<uint32_t> unitOf(bundle.operations.size(), 0);
  for (uint32_t u = 0; u < graph.units.size(); ++u)
    for (uint32_t i = 0; i < graph.units[u].count; ++i) {
      const uint32_t operation = graph.operations[graph.units[u].first + i];
      runs[operation] = 1;
      unitOf[operation] = u;
    }
  const std::vector<std::vector<uint32_t>> order = arenaOrder(bundle, runs);
  std::vector<std::vector<uint32_t>> followers(graph.units.size());
  std::vector<uint32_t> behind;
  for (uint32_t u = 0; u < graph.units.size(); ++u) {
    TaskGraph::Unit &unit = graph.units[u];
    behind.clear();
    for (uint32_t i = 0; i < unit.count; ++i)
      for (const uint32_t earlier : order[graph.operations[unit.first + i]])
        if (unitOf[earlier] != u)
          behind.push_back(unitOf[earlier]);
    std::sort(behind.begin(), behind.end());
    behind.erase(std::unique(behind.begin(), behind.end()), behind.end());
    unit.waits = static_cast<uint32_t>(behind.size());
    for (const uint32_t earlier : behind)
      followers[earlier].push_back(u);
  }
  for (uint32_t u = 0; u < graph.units.size(); ++u) {
    graph.units[u].firstFollower = static_cast<uint32_t>(graph.followers.size());
    graph.followers.insert(graph.followers.end(), followers[u].begin(), followers[u].end());
  }
  return graph;
}

} // namespace mpf
