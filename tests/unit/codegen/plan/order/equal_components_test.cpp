// Components that are equal: searched once, in one order, and counted as often as they are run.
#include "codegen/plan/initial/initial_program.h"
#include "codegen/plan/order/choose_order.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace mpf {
namespace {

constexpr uint32_t kSide = 8, kCells = kSide * kSide;

/// Grids that share nothing. The tables of the last one differ, where they are filled.
Model grids(uint32_t copies, bool filled) {
  std::vector<std::vector<uint32_t>> scopes;
  for (uint32_t copy = 0; copy < copies; ++copy)
    for (uint32_t i = 0; i < kCells; ++i) {
      if (i % kSide + 1 < kSide)
        scopes.push_back({copy * kCells + i, copy * kCells + i + 1});
      if (i + kSide < kCells)
        scopes.push_back({copy * kCells + i, copy * kCells + i + kSide});
    }
  Model model = test::modelOf(std::vector<uint32_t>(copies * kCells, 2), scopes, filled);
  if (filled)
    model.factors.back().values =
        std::make_shared<const std::vector<double>>(std::vector<double>{1, 2, 3, 4});
  return model;
}

struct Found {
  OrderChoices orders;
  std::vector<VarId> order; ///< first eliminated first
};

Found found(const Model &model, QueryKind kind, bool finalTables, uint64_t rounds) {
  Diagnostics diagnostics;
  PlanOptions options;
  options.search.rounds = rounds;
  const InputContents contents(model, finalTables);
  const Query query = shortQuery(model, kind);
  Found of{chooseOrders(model, initialProgram(model, query, diagnostics), options, diagnostics,
                        {nullptr, nullptr, &contents}),
           {}};
  of.order = of.orders.choices.front().order;
  std::ranges::reverse(of.order);
  return of;
}

TEST(EqualComponents, AreSearchedOnce) {
  const Found one = found(grids(1, false), QueryKind::Evidence, false, 12),
              five = found(grids(5, false), QueryKind::Evidence, false, 12);
  EXPECT_EQ(five.orders.effort.rounds, 12U);
  EXPECT_EQ(five.orders.effort.steps, one.orders.effort.steps);
  EXPECT_NEAR(five.orders.effort.cost, 5 * one.orders.effort.cost, 1e-6);
  ASSERT_EQ(five.order.size(), 5 * kCells);
  for (uint32_t copy = 0; copy < 5; ++copy)
    for (uint32_t i = 0; i < kCells; ++i)
      ASSERT_EQ(five.order[copy * kCells + i].value, copy * kCells + one.order[i].value);
}

TEST(EqualComponents, CountAsOftenAsTheyAreRun) {
  const RunWork one = found(grids(1, true), QueryKind::Evidence, true, 4).orders.effort.work,
                bound = found(grids(5, true), QueryKind::Evidence, false, 4).orders.effort.work,
                shared = found(grids(5, true), QueryKind::Evidence, true, 4).orders.effort.work;
  EXPECT_DOUBLE_EQ(bound.terms, 5 * one.terms) << "a session may give each its own values";
  EXPECT_DOUBLE_EQ(shared.terms, 2 * one.terms) << "the last one has another table";
  EXPECT_DOUBLE_EQ(shared.entries, 2 * one.entries);
  EXPECT_DOUBLE_EQ(shared.operations, 2 * one.operations);
  EXPECT_EQ(shared.levels, one.levels) << "one beside the other";
  EXPECT_EQ(found(grids(5, true), QueryKind::Mpe, true, 4).orders.effort.work.tracedSteps,
            5.0 * kCells)
      << "each variable gets a state of its own";
}

/// Components with equal tables differ if they are joined in another way, or have other sizes.
TEST(EqualComponents, AreNotThoseOfAnotherShape) {
  const auto stepsOf = [](const Model &model) {
    return found(model, QueryKind::Evidence, true, 0).orders.effort.steps;
  };
  const Model chains = test::modelOf({2, 2, 2, 2, 2, 2}, {{0, 1}, {1, 2}, {3, 4}, {4, 5}}),
              star = test::modelOf({2, 2, 2, 2, 2, 2}, {{0, 1}, {1, 2}, {3, 4}, {3, 5}}),
              wide = test::modelOf({2, 2, 2, 2, 2, 3}, {{0, 1}, {1, 2}, {3, 4}, {4, 5}});
  EXPECT_LT(stepsOf(chains), stepsOf(star));
  EXPECT_LT(stepsOf(chains), stepsOf(wide));
}

} // namespace
} // namespace mpf
