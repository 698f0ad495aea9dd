// Tests that further lane programs are tried in proportion to the predicted time of the cases.
#include "codegen/lanes/lane_budget.h"

#include "codegen/lanes/build_lane_program.h"

#include <atomic>
#include <gtest/gtest.h>

namespace mpf {
namespace {

constexpr int kMostTries = 1000;

int triesOf(LaneBudget &budget, size_t operations, double listUs) {
  int tries = 0;
  while (tries < kMostTries && budget.pays(operations, listUs))
    ++tries;
  return tries;
}

/// Returns how often `operations` are divided again for cases that together take `listUs`.
int triesOf(double listUs, size_t operations) {
  LaneBudget budget;
  return triesOf(budget, operations, listUs);
}

TEST(LaneBudget, ShortListsAreNotWorthATry) {
  EXPECT_EQ(triesOf(51, 200), 0);
  EXPECT_GT(triesOf(8e5, 200), 0);
  EXPECT_GT(triesOf(8e7, 100), triesOf(8e4, 100));
  EXPECT_GT(triesOf(8e4, 10), triesOf(8e4, 100)) << "dividing few operations is cheap";
}

TEST(LaneBudget, FewOperationsAreDividedAgainForNothing) {
  EXPECT_GT(triesOf(1, 4), 10);
  EXPECT_LT(triesOf(1, 4), 100);
}

TEST(LaneBudget, OrdersAndDivisionsArePaidFromOneBudget) {
  LaneBudget budget;
  int orders = 0;
  while (budget.paysForOrder(100, 8e4))
    ++orders;
  EXPECT_GT(orders, 0);
  EXPECT_LT(orders, triesOf(8e4, 100)) << "an order is dearer";
}

TEST(LaneBudget, TheListIsPredictedByThePlan) {
  LanePlan plan;
  plan.laneCost = 7;
  EXPECT_EQ(LaneBudget([](const LanePlan &of) { return 3 * of.laneCost; }).listUs(plan), 21);
}

TEST(LaneBudget, WithoutAPredictionAllIsTried) {
  LaneBudget budget;
  EXPECT_EQ(triesOf(budget, 1'000'000, budget.listUs(LanePlan())), kMostTries);
}

TEST(LaneBudget, WhatEndsASearchEndsTheTries) {
  std::atomic<bool> stop = false;
  SearchLimits limits;
  limits.stop = &stop;
  LaneBudget budget({}, limits);
  const double listUs = budget.listUs(LanePlan());
  EXPECT_TRUE(budget.pays(100, listUs));
  stop = true;
  EXPECT_FALSE(budget.pays(1, listUs)) << "not even what is free";
  EXPECT_FALSE(budget.paysForOrder(100, listUs));
  limits.stop = nullptr;
  limits.deadline = std::chrono::steady_clock::now();
  EXPECT_FALSE(LaneBudget({}, limits).pays(100, listUs));
}

} // namespace
} // namespace mpf
