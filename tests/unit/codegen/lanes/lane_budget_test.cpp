// Further lane programs are tried in proportion to the cases that are expected.
#include "codegen/lanes/lane_budget.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

/// How often `operations` are divided again for so many cases of 8000 multiply-adds.
int triesOf(double cases, size_t operations) {
  LaneBudget budget(1e-4, cases);
  int tries = 0;
  while (tries < 1000 && budget.pays(operations, 8000))
    ++tries;
  return tries;
}

TEST(LaneBudget, FewCasesAreNotWorthATry) {
  EXPECT_EQ(triesOf(64, 200), 0);
  EXPECT_GT(triesOf(1e6, 200), 0);
  EXPECT_GT(triesOf(1e8, 100), triesOf(1e5, 100));
  EXPECT_GT(triesOf(1e5, 10), triesOf(1e5, 100)) << "dividing few operations is cheap";
}

TEST(LaneBudget, FewOperationsAreDividedAgainForNothing) {
  EXPECT_GT(triesOf(1, 4), 10);
  EXPECT_LT(triesOf(1, 4), 100);
}

TEST(LaneBudget, OrdersAndDivisionsArePaidFromOneBudget) {
  LaneBudget budget(1e-4, 1e5);
  int orders = 0;
  while (budget.paysForOrder(100, 8000))
    ++orders;
  EXPECT_GT(orders, 0);
  EXPECT_LT(orders, triesOf(1e5, 100)) << "an order is dearer";
}

TEST(LaneBudget, WithoutABoundOfCasesAllIsTried) {
  LaneBudget budget;
  for (int i = 0; i < 1000; ++i)
    ASSERT_TRUE(budget.pays(1'000'000, 1));
}

} // namespace
} // namespace mpf
