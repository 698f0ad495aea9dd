// Task graphs of random bundles: every operation once, units in an order in which they may run, and
// every operation after those that must come before it.
#include "runtime/schedule/task_graph.h"

#include "runtime/schedule/arena_order.h"
#include "tests/oracle/bundle_builder.h"
#include "tests/unit/runtime/schedule/schedule_bundles.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

namespace mpf {
namespace {

double timeNs(uint32_t index) { return 1 + index % 7; }

/// Returns, for each unit, itself and all units that must end before it starts.
std::vector<std::set<uint32_t>> endedBefore(const TaskGraph &graph) {
  std::vector<std::set<uint32_t>> before(graph.units.size());
  for (uint32_t u = 0; u < graph.units.size(); ++u) {
    before[u].insert(u);
    for (const uint32_t follower : graph.followersOf(u))
      before[follower].insert(before[u].begin(), before[u].end());
  }
  return before;
}

TEST(TaskGraph, KeepsWhatMustStayInOrder) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 200; ++i) {
    const Bundle bundle = randomScheduleBundle(random);
    std::vector<uint32_t> some;
    for (uint32_t at = 0; at < bundle.operations.size(); ++at)
      if (!bundle.operations[at].accumulates && random() % 4 != 0)
        some.push_back(at);
    const double grainNs = static_cast<double>(random() % 3) * 6;
    const TaskGraph graph = buildTaskGraph(bundle, some, timeNs, grainNs);
    const std::vector<uint32_t> &listed = graph.operations;
    EXPECT_TRUE(std::ranges::is_permutation(listed, some));

    std::vector<uint32_t> unitOf(bundle.operations.size()), waits(graph.units.size());
    uint32_t next = 0;
    for (uint32_t u = 0; u < graph.units.size(); ++u) {
      ASSERT_EQ(graph.units[u].first, next);
      double unitNs = 0;
      for (uint32_t k = 0; k < graph.units[u].count; ++k, ++next) {
        unitOf[listed[next]] = u;
        unitNs += timeNs(listed[next]);
        EXPECT_TRUE(k == 0 || listed[next - 1] < listed[next]);
      }
      EXPECT_TRUE(graph.units[u].count == 1 || unitNs <= grainNs);
      for (const uint32_t follower : graph.followersOf(u)) {
        EXPECT_GT(follower, u);
        ++waits[follower];
      }
    }
    ASSERT_EQ(next, some.size());
    for (uint32_t u = 0; u < graph.units.size(); ++u)
      EXPECT_EQ(graph.units[u].waits, waits[u]);

    std::vector<char> runs(bundle.operations.size(), 0);
    for (const uint32_t operation : some)
      runs[operation] = 1;
    const auto order = arenaOrder(bundle, runs);
    const auto before = endedBefore(graph);
    for (const uint32_t operation : some)
      for (const uint32_t earlier : order[operation])
        EXPECT_TRUE(before[unitOf[operation]].contains(unitOf[earlier]));
  }
}

/// Two chains of short operations do not wait for each other.
TEST(TaskGraph, ShortOperationsAreTakenTogetherByBranch) {
  oracle::BundleBuilder builder;
  constexpr Semiring kSumProduct{Reduce::Sum, Combine::Times};
  for (int chain = 0; chain < 2; ++chain) {
    BufferId last = builder.input({builder.variable(2)}, {1, 2});
    for (int i = 0; i < 10; ++i)
      last = builder.operation(kSumProduct, {last}, {});
    builder.output(last);
  }
  std::vector<uint32_t> all(20);
  std::iota(all.begin(), all.end(), 0U);
  const TaskGraph graph = buildTaskGraph(
      builder.finish(), all, [](uint32_t) { return 1; }, 5);
  ASSERT_EQ(graph.units.size(), 4u);
  size_t following = 0;
  for (uint32_t u = 0; u < 4; ++u) {
    const uint32_t first = graph.operations[graph.units[u].first];
    EXPECT_EQ(graph.units[u].count, 5u);
    EXPECT_EQ(first % 5, 0u);
    for (const uint32_t follower : graph.followersOf(u)) {
      EXPECT_EQ(graph.operations[graph.units[follower].first], first + 5);
      ++following;
    }
  }
  EXPECT_EQ(following, 2u);
}

TEST(TaskGraph, OfNothingIsEmpty) {
  std::mt19937_64 random(6);
  EXPECT_TRUE(buildTaskGraph(randomScheduleBundle(random), {}, timeNs, 10).empty());
}

} // namespace
} // namespace mpf
