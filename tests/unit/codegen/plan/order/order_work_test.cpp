// What a run of an order does, counted by hand: single buckets, buckets that become one operation,
// marginals, and buckets inside loops.
#include "codegen/plan/order/order_work.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

/// Variables 0..n-1 of these sizes, and tables.
OrderProblem problemOf(std::vector<uint64_t> extents, std::vector<std::vector<Vertex>> cliques) {
  OrderProblem problem;
  problem.extents = std::move(extents);
  problem.cliques = std::move(cliques);
  problem.isOutput.assign(problem.extents.size(), 0);
  return problem;
}

RunWork workOf(const OrderProblem &problem, const std::vector<Vertex> &sequence,
               bool goesDownward = false) {
  return orderWork(EliminationTree(problem, sequence), goesDownward);
}

/// Buckets of a chain 0 - 1 - 2: {0, 1} with its table, {1, 2} with a message too, {2}.
TEST(OrderWork, CountsOperandsMessagesAndTerms) {
  const OrderProblem chain = problemOf({2, 3, 5}, {{0, 1}, {1, 2}, {2}});
  const RunWork work = workOf(chain, {0, 1, 2});
  EXPECT_EQ(work.operations, 3);
  EXPECT_EQ(work.entries, (6 + 3) + (15 + 3 + 5) + (5 + 5 + 1));
  EXPECT_EQ(work.terms, 6 + 15 + 5);
  EXPECT_EQ(work.levels, 3);
}

/// The bucket of 1 has nothing but the message of 0: one sum over both, without a message between.
TEST(OrderWork, ABucketOfOneMessageIsPartOfTheOneBefore) {
  const OrderProblem problem = problemOf({2, 3, 5}, {{0, 1, 2}, {2}});
  const RunWork work = workOf(problem, {0, 1, 2});
  EXPECT_EQ(work.operations, 2);
  EXPECT_EQ(work.entries, (30 + 5) + (5 + 5 + 1));
  EXPECT_EQ(work.terms, 30 + 5);
  EXPECT_EQ(work.levels, 2);
}

TEST(OrderWork, BranchesBesideEachOtherAreOneLevel) {
  const OrderProblem star = problemOf({2, 2, 2, 2}, {{0, 3}, {1, 3}, {2, 3}});
  EXPECT_EQ(workOf(star, {0, 1, 2, 3}).levels, 2);
  EXPECT_EQ(workOf(star, {0, 1, 2, 3}).operations, 4);
}

TEST(OrderWork, MarginalsAnswerEveryMessageAndHaveATableOfEachVariable) {
  const OrderProblem chain = problemOf({2, 3, 5}, {{0, 1}, {1, 2}, {2}});
  const RunWork up = workOf(chain, {0, 1, 2}), both = workOf(chain, {0, 1, 2}, true);
  EXPECT_EQ(both.operations, up.operations + 2 + 3);
  EXPECT_EQ(both.terms, up.terms + 15 + 5);
  EXPECT_EQ(both.levels, 2 * up.levels);
}

TEST(OrderWork, ABucketInALoopCountsAsOftenAsItRuns) {
  OrderProblem chain = problemOf({2, 3, 5}, {{0, 1}, {1, 2}, {2}});
  chain.loops = {1, 0, 0};
  chain.loopExtents = {7};
  chain.loopTables = {1}; // its only table: the message of 0 leaves the loop
  const RunWork work = workOf(chain, {0, 1, 2});
  EXPECT_EQ(work.operations, 7 + 2);
  EXPECT_EQ(work.terms, 7 * 6 + 15 + 5);
}

/// As bucket_cost.h: slices will repeat other buckets, so more search pays.
TEST(OrderWork, AMessageAboveTheBoundIsDear) {
  OrderProblem chain = problemOf({2, 3, 5}, {{0, 1}, {1, 2}, {2}});
  chain.maxMessageElems = 4;
  EXPECT_DOUBLE_EQ(workOf(chain, {0, 1, 2}).terms, 6 + 15 * (5.0 / 4) * (5.0 / 4) + 5);
}

} // namespace
} // namespace mpf
