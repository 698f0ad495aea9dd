// Tests the rule for the cost of planning: which questions pay, and when a budget is used up.
#include "codegen/plan/program/planning_budget.h"

#include <gtest/gtest.h>
#include <limits>

namespace mpf {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

TEST(PlanningBudget, AQuestionPaysByHalfOfWhatAllRunsCanSave) {
  EXPECT_TRUE(questionPays(50, 1, 100));
  EXPECT_FALSE(questionPays(51, 1, 100));
  EXPECT_FALSE(questionPays(1, 0, 1e9));
  EXPECT_FALSE(questionPays(1, -5, 100));
  EXPECT_TRUE(questionPays(1e9, 1e-3, kNoLimit));
}

TEST(PlanningBudget, IsATenthOfShortRuns) {
  PlanningBudget budget(1000, 100); // 0.1 s in all, so 10 ms
  EXPECT_FALSE(budget.pay(10'001, 1000));
  EXPECT_TRUE(budget.pay(6000, 1000));
  EXPECT_FALSE(budget.pay(6000, 1000)) << "4 ms are left";
  EXPECT_TRUE(budget.pay(4000, 1000));
  EXPECT_FALSE(budget.pay(1, 1000));
}

TEST(PlanningBudget, IsAHundredthBeyond) {
  PlanningBudget budget(100'000, 100); // 10 s in all, so 30 + 100 ms
  EXPECT_TRUE(budget.pay(130'000, 1e5));
  EXPECT_FALSE(budget.pay(1000, 1e5));
}

TEST(PlanningBudget, WhatDoesNotPayCostsNothing) {
  PlanningBudget budget(1000, 100);
  EXPECT_FALSE(budget.pay(10'000, 1));
  EXPECT_TRUE(budget.pay(10'000, 1000));
}

TEST(PlanningBudget, HasNoEndWhereRunsHaveNone) {
  PlanningBudget budget(1, kNoLimit);
  for (int i = 0; i < 100; ++i)
    EXPECT_TRUE(budget.pay(1e6, 1e-6));
  EXPECT_FALSE(budget.pay(1, 0));
}

} // namespace
} // namespace mpf
