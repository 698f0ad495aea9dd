// Annealing of elimination trees on networks whose best tree is known.
#include "codegen/plan/order/order_anneal.h"

#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace mpf;

namespace {

OrderProblem binaryProblem(uint32_t variables, std::vector<std::vector<Vertex>> cliques) {
  OrderProblem problem;
  for (uint32_t v = 0; v < variables; ++v)
    problem.variables.emplace_back(v);
  problem.extents.assign(variables, 2);
  problem.cliques = std::move(cliques);
  problem.isOutput.assign(variables, 0);
  problem.later.resize(variables);
  problem.waitsFor.assign(variables, 0);
  return problem;
}

/// Vertex 0 with `leaves` others around it.
OrderProblem star(uint32_t leaves) {
  std::vector<std::vector<Vertex>> cliques;
  for (Vertex leaf = 1; leaf <= leaves; ++leaf)
    cliques.push_back({0, leaf});
  return binaryProblem(leaves + 1, std::move(cliques));
}

OrderProblem grid(uint32_t side) {
  std::vector<std::vector<Vertex>> cliques;
  for (Vertex v = 0; v < side * side; ++v) {
    if (v % side + 1 < side)
      cliques.push_back({v, v + 1});
    if (v + side < side * side)
      cliques.push_back({v, v + side});
  }
  return binaryProblem(side * side, std::move(cliques));
}

std::vector<Vertex> byNumber(size_t count) {
  std::vector<Vertex> order(count);
  std::iota(order.begin(), order.end(), Vertex{0});
  return order;
}

/// Eliminating the hub first makes a message over all leaves. The best tree has every leaf below
/// the hub. It has six buckets of 4 addresses with messages of 2 entries, 4 + 2 * 2 each. In the
/// hub's bucket six messages of 2 entries meet, 2 * 6 + 2 * 1.
TEST(AnnealingWalk, TakesTheHubOfAStarLast) {
  const OrderProblem problem = star(6);
  AnnealingWalk walk(problem, byNumber(7), {0.5, 0.02, 64}, 1);
  EXPECT_GT(walk.tree().cost(), 128); // the hub's bucket alone has 2^7 addresses
  while (walk.nextTemperature())
    ;
  EXPECT_DOUBLE_EQ(walk.tree().cost(), 6 * (4 + 2 * 2) + 2 * 6 + 2);
  EXPECT_EQ(walk.tree().sequence().back(), 0u);
}

TEST(AnnealingWalk, EndsAfterItsTemperatures) {
  const OrderProblem problem = star(3);
  AnnealingWalk walk(problem, byNumber(4), {0.5, 0.02, 3}, 1);
  EXPECT_TRUE(walk.nextTemperature());
  EXPECT_TRUE(walk.nextTemperature());
  EXPECT_FALSE(walk.nextTemperature());
  const std::vector<Vertex> last = walk.tree().sequence();
  EXPECT_FALSE(walk.nextTemperature());
  EXPECT_EQ(walk.tree().sequence(), last);
}

TEST(AnnealingWalk, CostsWhatItsOrderCosts) {
  const OrderProblem problem = grid(6);
  AnnealingWalk walk(problem, byNumber(36), {0.5, 0.02, 20}, 7);
  for (bool more = true; more;) {
    more = walk.nextTemperature();
    const EliminationTree built(problem, walk.tree().sequence());
    ASSERT_NEAR(walk.tree().cost(), built.cost(), 1e-9 * built.cost());
  }
}

/// At a temperature near 0 no rotation that costs more is accepted.
TEST(AnnealingWalk, NeverClimbsWhenItIsCold) {
  const OrderProblem problem = grid(6);
  AnnealingWalk walk(problem, byNumber(36), {1e-12, 1e-12, 30}, 3);
  double before = walk.tree().cost();
  for (bool more = true; more;) {
    more = walk.nextTemperature();
    EXPECT_LE(walk.tree().cost(), before * (1 + 1e-6));
    before = walk.tree().cost();
  }
}

TEST(AnnealingWalk, ClimbsWhenItIsHot) {
  const OrderProblem problem = grid(6);
  AnnealingWalk cold(problem, byNumber(36), {1e-12, 1e-12, 30}, 3);
  while (cold.nextTemperature())
    ;
  AnnealingWalk hot(problem, cold.tree().sequence(), {4, 4, 2}, 3);
  hot.nextTemperature();
  EXPECT_GT(hot.tree().cost(), 1.5 * cold.tree().cost());
}

TEST(AnnealingWalk, TheSeedDecides) {
  const OrderProblem problem = grid(6);
  const auto walked = [&](uint64_t seed) {
    AnnealingWalk walk(problem, byNumber(36), {0.5, 0.02, 4}, seed);
    while (walk.nextTemperature())
      ;
    return walk.tree().sequence();
  };
  EXPECT_EQ(walked(1), walked(1));
  EXPECT_NE(walked(1), walked(2));
}

} // namespace
