#include "runtime/schedule/task_graph.h"

#include "runtime/schedule/arena_order.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace mpf {

namespace {

constexpr uint32_t kNoUnit = UINT32_MAX;

/// Cuts operations into units. They come one after the other, each after those it waits for.
///
/// A unit has a DEPTH. The operations of a unit wait for operations of this unit, and of units of
/// less depth; so units never wait for each other in a circle. An operation joins the deepest unit
/// that it waits for, if only one unit has this depth and has room. So a branch stays on one
/// thread, with its tables in that thread's cache. Otherwise the operation joins the last unit one
/// deeper, or begins a new one there.
class UnitCutter {
public:
  UnitCutter(size_t operations, double grainNs) : grainNs_(grainNs), unitOf_(operations, kNoUnit) {}

  void take(uint32_t operation, double timeNs, const std::vector<uint32_t> &behind) {
    uint32_t deepest = kNoUnit;
    bool isAlone = true;
    for (const uint32_t earlier : behind) {
      const uint32_t unit = unitOf_[earlier];
      if (unit == deepest)
        continue;
      if (deepest == kNoUnit || units_[unit].depth > units_[deepest].depth) {
        deepest = unit;
        isAlone = true;
      } else if (units_[unit].depth == units_[deepest].depth) {
        isAlone = false;
      }
    }
    uint32_t unit = isAlone ? deepest : kNoUnit;
    if (unit == kNoUnit || !hasRoom(unit, timeNs)) {
      const uint32_t depth = deepest == kNoUnit ? 0 : units_[deepest].depth + 1;
      if (depth >= lastOfDepth_.size())
        lastOfDepth_.resize(depth + 1, kNoUnit);
      unit = lastOfDepth_[depth];
      if (unit == kNoUnit || !hasRoom(unit, timeNs)) {
        unit = lastOfDepth_[depth] = static_cast<uint32_t>(units_.size());
        units_.push_back({depth, 0, {}});
      }
    }
    units_[unit].timeNs += timeNs;
    units_[unit].operations.push_back(operation);
    unitOf_[operation] = unit;
  }

  struct Unit {
    uint32_t depth = 0;
    double timeNs = 0;
    std::vector<uint32_t> operations; ///< ascending
  };
  const std::vector<Unit> &units() const { return units_; }
  uint32_t unitOf(uint32_t operation) const { return unitOf_[operation]; }

private:
  bool hasRoom(uint32_t unit, double timeNs) const {
    return units_[unit].timeNs + timeNs <= grainNs_;
  }

  const double grainNs_;
  std::vector<uint32_t> unitOf_; ///< by operation
  std::vector<Unit> units_;
  std::vector<uint32_t> lastOfDepth_;
};

/// Returns, for each unit, the units that wait for it, ascending.
std::vector<std::vector<uint32_t>> followersOf(const UnitCutter &cut,
                                               const std::vector<std::vector<uint32_t>> &order) {
  std::vector<std::vector<uint32_t>> followers(cut.units().size());
  for (uint32_t u = 0; u < cut.units().size(); ++u)
    for (const uint32_t operation : cut.units()[u].operations)
      for (const uint32_t earlier : order[operation])
        if (cut.unitOf(earlier) != u)
          followers[cut.unitOf(earlier)].push_back(u);
  for (std::vector<uint32_t> &list : followers) {
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return followers;
}

/// Returns, for each unit, its time and that of the longest chain of units after it.
std::vector<double> remainingNs(const UnitCutter &cut,
                                const std::vector<std::vector<uint32_t>> &followers) {
  const std::vector<UnitCutter::Unit> &units = cut.units();
  std::vector<uint32_t> byDepth(units.size());
  std::iota(byDepth.begin(), byDepth.end(), 0U);
  std::ranges::stable_sort(byDepth, std::ranges::greater{},
                           [&](uint32_t u) { return units[u].depth; });
  std::vector<double> remaining(units.size(), 0);
  for (const uint32_t u : byDepth) {
    for (const uint32_t follower : followers[u])
      remaining[u] = std::max(remaining[u], remaining[follower]);
    remaining[u] += units[u].timeNs;
  }
  return remaining;
}

} // namespace

TaskGraph buildTaskGraph(const Bundle &bundle, const std::vector<uint32_t> &operations,
                         const std::function<double(uint32_t)> &operationNs, double grainNs) {
  std::vector<char> runs(bundle.operations.size(), 0);
  for (const uint32_t operation : operations)
    runs[operation] = 1;
  const std::vector<std::vector<uint32_t>> order = arenaOrder(bundle, runs);
  UnitCutter cut(bundle.operations.size(), grainNs);
  for (const uint32_t operation : operations)
    cut.take(operation, operationNs(operation), order[operation]);
  const std::vector<std::vector<uint32_t>> followers = followersOf(cut, order);

  // Units with the most remaining time come first, so each comes before its followers.
  const std::vector<double> remaining = remainingNs(cut, followers);
  std::vector<uint32_t> first(cut.units().size()), placeOf(first.size());
  std::iota(first.begin(), first.end(), 0U);
  std::ranges::sort(first, [&](uint32_t a, uint32_t b) {
    const auto key = [&](uint32_t u) { return std::tuple(-remaining[u], cut.units()[u].depth, u); };
    return key(a) < key(b);
  });
  for (uint32_t place = 0; place < first.size(); ++place)
    placeOf[first[place]] = place;

  TaskGraph graph;
  for (const uint32_t u : first) {
    const std::vector<uint32_t> &list = cut.units()[u].operations;
    TaskGraph::Unit unit;
    unit.first = static_cast<uint32_t>(graph.operations.size());
    unit.count = static_cast<uint32_t>(list.size());
    graph.operations.insert(graph.operations.end(), list.begin(), list.end());
    unit.firstFollower = static_cast<uint32_t>(graph.followers.size());
    for (const uint32_t follower : followers[u])
      graph.followers.push_back(placeOf[follower]);
    std::sort(graph.followers.begin() + unit.firstFollower, graph.followers.end());
    graph.units.push_back(unit);
  }
  for (const uint32_t follower : graph.followers)
    ++graph.units[follower].waits;
  return graph;
}

} // namespace mpf
