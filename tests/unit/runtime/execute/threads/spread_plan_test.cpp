// The number of threads that are woken: none for work that cannot be divided, and as many as pay
// for other work.
#include "runtime/execute/threads/spread_plan.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace mpf {
namespace {

/// Returns units of one operation each, in a chain or independent.
TaskGraph graphOf(uint32_t units, bool isChain) {
  TaskGraph graph;
  for (uint32_t u = 0; u < units; ++u) {
    graph.operations.push_back(u);
    const bool follows = isChain && u > 0;
    graph.units.push_back({u, 1, follows ? 1u : 0u, isChain ? u : 0});
    if (isChain && u + 1 < units)
      graph.followers.push_back(u + 1);
  }
  return graph;
}

OperationNs each(double timeNs) {
  return [timeNs](uint32_t) { return timeNs; };
}

constexpr SpreadOptions kSpread;

/// Returns options for which threads cost nothing.
SpreadOptions freeThreads() {
  SpreadOptions spread;
  spread.costs = {.wakeUs = 0, .handUs = 0, .sharingUs = 0, .crowding = 0};
  return spread;
}

TEST(SpreadPlan, ARunTakesItsLongestChainAndAShareOfTheRest) {
  EXPECT_DOUBLE_EQ(spreadRunNs(graphOf(50, true), each(100), 8, freeThreads()), 5000);
  EXPECT_DOUBLE_EQ(spreadRunNs(graphOf(50, false), each(100), 7, freeThreads()), 100 + 4900 / 7.0);
  EXPECT_DOUBLE_EQ(spreadRunNs(graphOf(50, false), each(100), 1, kSpread), 5000);
  // Operations of a chain that all threads share keep all of them busy.
  EXPECT_DOUBLE_EQ(spreadRunNs(graphOf(50, true), each(8e6), 8, freeThreads()), 50e6);
}

TEST(SpreadPlan, FewThreadsWhereMoreGainLittle) {
  // Two chains side by side.
  TaskGraph graph;
  for (uint32_t u = 0; u < 200; ++u) {
    graph.operations.push_back(u);
    graph.units.push_back({u, 1, u >= 2 ? 1u : 0u, std::min(u, 198u)});
    if (u < 198)
      graph.followers.push_back(u + 2);
  }
  const size_t threads = threadsWorthWaking(graph, each(19'000), 16, kSpread);
  EXPECT_GT(threads, 1u);
  EXPECT_LT(threads, 16u);
}

TEST(SpreadPlan, AChainOfShortOperationsWakesNobody) {
  EXPECT_EQ(threadsWorthWaking(graphOf(1000, true), each(kSpread.leastSharedNs / 2), 16, kSpread),
            1u);
}

TEST(SpreadPlan, BranchesWakeAsManyAsPay) {
  EXPECT_EQ(threadsWorthWaking(graphOf(1000, false), each(15'000), 16, kSpread), 16u);
  EXPECT_EQ(threadsWorthWaking(graphOf(1000, false), each(15'000), 3, kSpread), 3u);
  EXPECT_EQ(threadsWorthWaking(graphOf(4, false), each(1e6), 16, kSpread), 16u); // of parts
  EXPECT_EQ(threadsWorthWaking(graphOf(4, false), each(15'000), 16, kSpread), 1u);
  const size_t some = threadsWorthWaking(graphOf(12, false), each(19'000), 64, kSpread);
  EXPECT_GE(some, 1u);
  EXPECT_LT(some, 16u);
}

TEST(SpreadPlan, LongOperationsOfAChainAreShared) {
  EXPECT_EQ(threadsWorthWaking(graphOf(10, true), each(5e6), 16, kSpread), 16u);
}

} // namespace
} // namespace mpf
