// The order of the shortest predicted run beside that of the fewest operations: which one it is,
// and that it leaves the search alone.
#include "codegen/plan/initial/initial_program.h"
#include "codegen/plan/order/choose_order.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace mpf {
namespace {

/// Returns the orders found in eight rounds.
OrderChoices chosen(const Model &model, const RunCosts &costs) {
  PlanOptions options;
  options.search.rounds = 8;
  options.runCosts = costs;
  Diagnostics diagnostics;
  return chooseOrders(model, initialProgram(model, model.queries[0], diagnostics), options,
                      diagnostics);
}

/// Costs of devices on which only one kind of work takes time.
RunCosts moving() {
  RunCosts costs;
  costs.operationUs = costs.termUs = costs.crowdedTermUs = 0;
  return costs;
}
RunCosts computing() {
  RunCosts costs;
  costs.operationUs = costs.entryUs = costs.crowdedTermUs = 0;
  return costs;
}
RunCosts waiting() {
  RunCosts costs;
  costs.operationUs = costs.entryUs = costs.termUs = costs.crowdedTermUs = 0;
  costs.levelUs = 1;
  return costs;
}

/// Returns the order that the device would be given.
const OrderChoice &fastest(const OrderChoices &found) {
  return found.fastest ? *found.fastest : found.choices.front();
}

TEST(FastestOrder, IsThatOfTheShortestRunOnItsDevice) {
  const Model model = test::grid(12, 12);
  const OrderChoices moves = chosen(model, moving()), computes = chosen(model, computing()),
                     waits = chosen(model, waiting());
  const RunWork move = fastest(moves).joinedWork, compute = fastest(computes).joinedWork,
                wait = fastest(waits).joinedWork;
  EXPECT_LT(move.entries, std::min(compute.entries, wait.entries));
  EXPECT_LT(compute.terms, std::min(move.terms, wait.terms));
  EXPECT_LT(wait.levels, std::min(move.levels, compute.levels));
  for (const OrderChoices *found : {&moves, &computes, &waits}) {
    const OrderChoice &fast = fastest(*found);
    EXPECT_EQ(fast.order.size(), 144u);
    EXPECT_LE(fast.cost, kCostlyFactor * found->choices.front().cost);
  }
}

/// The same rounds find the same order of the fewest operations on every device.
TEST(FastestOrder, DoesNotLeadTheSearch) {
  const Model model = test::grid(12, 12);
  const OrderChoices moves = chosen(model, moving()), waits = chosen(model, waiting());
  EXPECT_EQ(moves.choices.front().order, waits.choices.front().order);
  EXPECT_EQ(moves.effort.steps, waits.effort.steps);
  EXPECT_EQ(moves.effort.cost, moves.choices.front().cost);
}

TEST(FastestOrder, IsNotNamedWhereItIsTheCheapest) {
  RunCosts nothing = waiting();
  nothing.levelUs = 0; // no run is shorter than another
  EXPECT_FALSE(chosen(test::grid(12, 12), nothing).fastest);
  EXPECT_TRUE(chosen(test::grid(12, 12), waiting()).fastest);
}

/// A launch of a GPU serves all components, so a hundred of them are worth no longer a search than
/// one.
TEST(FastestOrder, ComponentsThatShareLevelsShareTheSearch) {
  constexpr uint32_t kSide = 6, kCells = kSide * kSide, kComponents = 100;
  std::vector<uint32_t> extents(kComponents * kCells, 2);
  std::vector<std::vector<uint32_t>> scopes;
  for (uint32_t k = 0; k < kComponents; ++k) {
    // One or two wider variables, so that no component equals another, which would be searched
    // once.
    for (const uint32_t wide : {k, k + k / kCells})
      extents[k * kCells + wide % kCells] = 3;
    for (uint32_t i = 0; i < kCells; ++i) {
      const uint32_t v = k * kCells + i;
      if (i % kSide + 1 < kSide)
        scopes.push_back({v, v + 1});
      if (i + kSide < kCells)
        scopes.push_back({v, v + kSide});
    }
  }
  PlanOptions options;
  options.runCosts = waiting();
  options.runCosts.levelUs = 10;
  options.runCosts.expectedRuns = 1000;
  const Model model = test::modelOf(extents, scopes, false);
  Diagnostics diagnostics;
  const SearchEffort effort =
      chooseOrders(model, initialProgram(model, model.queries[0], diagnostics), options,
                   diagnostics)
          .effort;
  EXPECT_EQ(effort.end, SearchEnd::Share);
  EXPECT_GT(effort.rounds, 0u);
  const double runsUs = 1000 * effort.runUs;
  EXPECT_LT(options.runCosts.searchUs(static_cast<double>(effort.steps)), 0.5 * runsUs);
}

} // namespace
} // namespace mpf
