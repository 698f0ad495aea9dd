// Passes of the simplifier are left out where they take more than they can save.
#include "codegen/pipeline/simplify_budget.h"

#include "tests/unit/codegen/plan/small_models.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace mpf {
namespace {

/// One table of 2^18 entries: a run reads it once.
Model oneWideTable() {
  std::vector<uint32_t> scope(18);
  std::iota(scope.begin(), scope.end(), 0);
  return test::binaryModel(18, {scope});
}

constexpr double kPriceUs = 5000;

TEST(SimplifyBudget, PassesPayByAllExpectedRuns) {
  const Model model = oneWideTable();
  const SimplifyState state = makeProblem(model, model.queries.front());
  RunCosts costs;
  const double runUs = greedyRunUs(state, costs);
  EXPECT_GT(runUs, 0);
  ASSERT_LT(runUs, kPriceUs);
  EXPECT_FALSE(simplifyBudget(costs)(state, kPriceUs));
  costs.expectedRuns = 4 * kPriceUs / runUs;
  EXPECT_TRUE(simplifyBudget(costs)(state, kPriceUs));
}

TEST(SimplifyBudget, NothingIsAskedAboutAPassThatTakesLessThanToStartAProcess) {
  const Model model = test::binaryModel(2, {{0, 1}});
  const SimplifyState state = makeProblem(model, model.queries.front());
  EXPECT_TRUE(simplifyBudget({})(state, 500));
  EXPECT_FALSE(simplifyBudget({})(state, kPriceUs));
}

TEST(SimplifyBudget, WhatFitsNoMemoryIsWorthAnyPass) {
  std::vector<std::vector<uint32_t>> pairs; // a complete graph
  for (uint32_t a = 0; a < 70; ++a)
    for (uint32_t b = a + 1; b < 70; ++b)
      pairs.push_back({a, b});
  const Model model = test::binaryModel(70, pairs);
  EXPECT_TRUE(simplifyBudget({})(makeProblem(model, model.queries.front()), 1e12));
}

TEST(SimplifyBudget, APassThatDoesNotPayIsLeftOut) {
  const Model model = oneWideTable();
  const auto passesWith = [&model](const std::function<bool(const SimplifyState &, double)> &pays) {
    SimplifyOptions options;
    options.pays = pays;
    SimplifyState state = makeProblem(model, model.queries.front());
    std::vector<std::string_view> names;
    runSimplifyPasses(state, options,
                      [&names](const SimplifyEvent &event) { names.push_back(event.pass); });
    return names;
  };
  const auto has = [](const std::vector<std::string_view> &names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  EXPECT_TRUE(has(passesWith({}), "merge-states"));
  EXPECT_FALSE(has(passesWith(simplifyBudget({})), "merge-states"));
  EXPECT_TRUE(has(passesWith(simplifyBudget({})), "constants")); // takes next to nothing
}

} // namespace
} // namespace mpf
