// Compares the work of a run of an order with counts by hand: single buckets, buckets that become
// one operation, marginals, and buckets inside loops.
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

RunWork workOf(OrderProblem problem, const std::vector<Vertex> &sequence,
               bool goesDownward = false) {
  problem.goesDownward = goesDownward;
  return orderWorks(EliminationTree(problem, sequence), sequence, problem).whole;
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

RunWork joinedOf(OrderProblem problem, const std::vector<Vertex> &sequence,
                 bool goesDownward = false) {
  problem.goesDownward = goesDownward;
  const EliminationTree tree(problem, sequence);
  const RunWork joined = orderWorks(tree, sequence, problem).joined,
                sums = joinedSums(tree, problem);
  EXPECT_EQ(sums.operations, joined.operations);
  EXPECT_EQ(sums.entries, joined.entries);
  EXPECT_EQ(sums.terms, joined.terms);
  EXPECT_EQ(sums.levels, 0);
  EXPECT_EQ(sums.tracedSteps, joined.tracedSteps);
  return joined;
}

/// A message counts twice where it is read.
TEST(JoinedWork, CountsMessagesWhereTheyAreRead) {
  const RunWork work = joinedOf(problemOf({2, 3, 5}, {{0, 1}, {1, 2}, {2}}), {0, 1, 2});
  EXPECT_EQ(work.operations, 3);
  EXPECT_EQ(work.entries, 6 + (15 + 2 * 3) + (5 + 2 * 5));
  EXPECT_EQ(work.terms, 6 + 15 + 5);
  EXPECT_EQ(work.levels, 3);
}

/// The message of 15 entries is never stored.
TEST(JoinedWork, ABucketOfOneMessageAddsNoEntries) {
  const OrderProblem problem = problemOf({2, 3, 5}, {{0, 1, 2}, {2}});
  const RunWork work = joinedOf(problem, {0, 1, 2}), both = joinedOf(problem, {0, 1, 2}, true);
  EXPECT_EQ(work.operations, 2);
  EXPECT_EQ(work.entries, 30 + (5 + 2 * 5));
  EXPECT_EQ(work.levels, 2);
  EXPECT_EQ(both.operations, (1 + 1) + 1 + (1 + 1 + 1));
  EXPECT_EQ(both.entries, 30 + (2 * (5 + 5) + 2 * 5));
  EXPECT_EQ(both.levels, 4);
}

/// A state is chosen for each variable that is eliminated, joined or not.
TEST(OrderWork, CountsTheStepsOfATraceback) {
  OrderProblem problem = problemOf({2, 3, 5}, {{0, 1, 2}, {2}});
  EXPECT_EQ(workOf(problem, {0, 1, 2}).tracedSteps, 0);
  problem.tracesBack = true;
  EXPECT_EQ(workOf(problem, {0, 1, 2}).tracedSteps, 3);
  EXPECT_EQ(joinedOf(problem, {0, 1, 2}).tracedSteps, 3);
  problem.isOutput[2] = 1;
  EXPECT_EQ(workOf(problem, {0, 1}).tracedSteps, 2);
}

/// Three messages meet in the bucket of 3, and two in that of 1.
TEST(OrderWork, TermsOfThreeMessagesAreCrowdedUnlessTheyAreAnswered) {
  const OrderProblem star = problemOf({2, 2, 2, 5}, {{0, 3}, {1, 3}, {2, 3}});
  EXPECT_EQ(workOf(star, {0, 1, 2, 3}).crowdedTerms, 5);
  EXPECT_EQ(joinedOf(star, {0, 1, 2, 3}).crowdedTerms, 5);
  EXPECT_EQ(workOf(star, {0, 1, 2, 3}, true).crowdedTerms, 0);
  const OrderProblem pair = problemOf({2, 3, 5}, {{0, 1}, {1, 2}});
  EXPECT_EQ(workOf(pair, {0, 2, 1}).crowdedTerms, 0);
}

/// Each of the third and later answers takes an operation, but shares the products of the first
/// two.
TEST(JoinedWork, ManyAnswersAreSharedForMarginals) {
  const OrderProblem star = problemOf({2, 2, 2, 2}, {{0, 3}, {1, 3}, {2, 3}});
  const RunWork up = joinedOf(star, {0, 1, 2, 3}), both = joinedOf(star, {0, 1, 2, 3}, true);
  EXPECT_EQ(both.operations, up.operations + 3 + 4);
  EXPECT_EQ(both.terms, 3 * 4 + 3 * 2);
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

/// A message above the bound costs more, as in bucket_cost.h: slices will repeat other buckets, so
/// more search pays.
TEST(OrderWork, AMessageAboveTheBoundIsDear) {
  OrderProblem chain = problemOf({2, 3, 5}, {{0, 1}, {1, 2}, {2}});
  chain.maxMessageElems = 4;
  EXPECT_DOUBLE_EQ(workOf(chain, {0, 1, 2}).terms, 6 + 15 * (5.0 / 4) * (5.0 / 4) + 5);
}

} // namespace
} // namespace mpf
