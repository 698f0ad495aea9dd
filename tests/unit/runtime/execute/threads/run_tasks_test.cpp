// Random task graphs on pools of several sizes: every part runs once, after those it waits for, and
// the first failure in the bundle's order is reported.
#include "runtime/execute/threads/run_tasks.h"

#include "tests/support/trials.h"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <stdexcept>
#include <string>

namespace mpf {
namespace {

TaskGraph randomGraph(std::mt19937_64 &random) {
  TaskGraph graph;
  const auto upTo = [&random](uint32_t most) { return static_cast<uint32_t>(1 + random() % most); };
  const uint32_t unitCount = upTo(60), reach = upTo(12);
  std::vector<std::vector<uint32_t>> followers(unitCount);
  for (uint32_t u = 0; u < unitCount; ++u) {
    const auto first = static_cast<uint32_t>(graph.operations.size());
    const uint32_t count = upTo(4);
    for (uint32_t i = 0; i < count; ++i)
      graph.operations.push_back(first + i);
    graph.units.push_back({first, count, 0, 0});
    for (uint32_t earlier = u - std::min(u, reach); earlier < u; ++earlier)
      if (random() % 4 == 0) {
        followers[earlier].push_back(u);
        ++graph.units[u].waits;
      }
  }
  for (uint32_t u = 0; u < unitCount; ++u) {
    graph.units[u].firstFollower = static_cast<uint32_t>(graph.followers.size());
    graph.followers.insert(graph.followers.end(), followers[u].begin(), followers[u].end());
  }
  return graph;
}

/// Counts calls, and checks that each comes at an allowed time. The number of an operation decides
/// whether it is done at once, has one part, or several.
class CountingWork final : public TaskWork {
public:
  CountingWork(const TaskGraph &graph, size_t seats)
      : graph_(graph), unitOf_(graph.operations.size()), inSeat_(seats),
        ended_(graph.operations.size()), parts_(graph.operations.size()) {
    for (uint32_t u = 0; u < graph.units.size(); ++u)
      for (uint32_t i = 0; i < graph.units[u].count; ++i)
        unitOf_[graph.units[u].first + i] = u;
  }

  size_t beginOperation(uint32_t index, size_t seat) override {
    const TaskGraph::Unit &unit = graph_.units[unitOf_[index]];
    for (uint32_t earlier = unit.first; earlier < index; ++earlier)
      EXPECT_TRUE(ended_[earlier]);
    for (uint32_t u = 0; u < unitOf_[index]; ++u) {
      const auto followers = graph_.followersOf(u);
      const bool waits = std::ranges::find(followers, unitOf_[index]) != followers.end();
      for (uint32_t i = 0; waits && i < graph_.units[u].count; ++i)
        EXPECT_TRUE(ended_[graph_.units[u].first + i]);
    }
    inSeat_[seat] = index;
    const size_t parts = index % 3 == 0 ? 0 : index % 3 == 1 ? 1 : 2 + index % 40;
    if (parts == 0)
      end(index);
    return parts;
  }
  void runPart(size_t seat, size_t part, size_t parts, size_t worker) override {
    EXPECT_LT(part, parts);
    EXPECT_LT(worker, inSeat_.size());
    const uint32_t index = inSeat_[seat];
    if (fails.contains(index) && part == index % parts)
      throw std::runtime_error(std::to_string(index));
    ++parts_[index];
  }
  void endOperation(size_t seat) override {
    const uint32_t index = inSeat_[seat];
    EXPECT_EQ(parts_[index], index % 3 == 1 ? 1 : 2 + index % 40);
    end(index);
  }

  bool allEnded() const {
    return std::ranges::all_of(ended_, [](const std::atomic<bool> &ended) { return ended.load(); });
  }

  std::set<uint32_t> fails; ///< operations with a part that throws

private:
  void end(uint32_t index) { EXPECT_FALSE(ended_[index].exchange(true)); }

  const TaskGraph &graph_;
  std::vector<uint32_t> unitOf_;
  std::vector<uint32_t> inSeat_;
  std::vector<std::atomic<bool>> ended_;
  std::vector<std::atomic<size_t>> parts_;
};

class RunTasks : public testing::TestWithParam<size_t> {};

TEST_P(RunTasks, DoAllOnceAndInOrder) {
  ThreadPool pool(GetParam());
  std::mt19937_64 random(7);
  for (int i = 0; i < trials(300) && !HasFailure(); ++i) {
    const TaskGraph graph = randomGraph(random);
    CountingWork work(graph, GetParam());
    runTasks(graph, pool, GetParam(), work);
    EXPECT_TRUE(work.allEnded());
  }
}

TEST_P(RunTasks, ReportTheFirstFailure) {
  ThreadPool pool(GetParam());
  std::mt19937_64 random(8);
  for (int i = 0; i < trials(300) && !HasFailure(); ++i) {
    const TaskGraph graph = randomGraph(random);
    CountingWork work(graph, GetParam());
    for (uint32_t index = 0; index < graph.operations.size(); ++index)
      if (index % 3 != 0 && random() % 20 == 0)
        work.fails.insert(index);
    // A unit may fail once: its later operations do not run.
    std::string found;
    try {
      runTasks(graph, pool, GetParam(), work);
    } catch (const std::runtime_error &error) {
      found = error.what();
    }
    EXPECT_EQ(found, work.fails.empty() ? "" : std::to_string(*work.fails.begin()));
    work.fails.clear();
    CountingWork again(graph, GetParam());
    runTasks(graph, pool, GetParam(), again);
    EXPECT_TRUE(again.allEnded());
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, RunTasks, testing::Values(1, 2, 5, 16));

} // namespace
} // namespace mpf
