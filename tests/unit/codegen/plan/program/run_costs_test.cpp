// Tests the prediction of a run from the sums of its order: the terms that it adds up, and the
// effect of threads.
#include "codegen/plan/program/run_costs.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(RunCosts, AddUpOperationsEntriesTermsAndLevels) {
  RunCosts costs;
  costs.operationUs = 1000;
  costs.entryUs = 100;
  costs.termUs = 10;
  costs.levelUs = 1;
  costs.crowdedTermUs = 0.1;
  EXPECT_DOUBLE_EQ(costs.runUs({2, 3, 4, 5, 6}), 2345.6);
}

TEST(RunCosts, ThreadsShareWhatIsLongerThanToWakeThem) {
  RunCosts costs;
  costs.operationUs = 1;
  costs.wakeUs = 100;
  costs.threads = 4;
  EXPECT_DOUBLE_EQ(costs.runUs({1000, 0, 0, 0}), 100 + 250);
  EXPECT_DOUBLE_EQ(costs.runUs({50, 0, 0, 0}), 50) << "one thread is faster";
}

TEST(RunCosts, ATracebackIsPaidByItsStepsAndOnce) {
  RunCosts costs;
  RunWork work{2, 0, 0, 0};
  work.tracedSteps = 5;
  EXPECT_DOUBLE_EQ(costs.runUs(work), costs.runUs({2, 0, 0, 0})) << "the driver knows its price";
  costs.tracedStepUs = 10;
  costs.tracedPartUs = 7;
  costs.operationUs = 100;
  EXPECT_DOUBLE_EQ(costs.runUs(work), 257);
  EXPECT_DOUBLE_EQ(costs.runUs({2, 0, 0, 0}), 200) << "there is none";
  costs.threads = 4;
  costs.wakeUs = 10;
  EXPECT_DOUBLE_EQ(costs.runUs(work), 10 + 50 + 57) << "nothing shares it";
}

TEST(RunCosts, PartsBesideEachOtherHaveTheLongerChain) {
  RunWork work{1, 2, 3, 4};
  work.add({10, 20, 30, 3});
  EXPECT_EQ(work.operations, 11);
  EXPECT_EQ(work.entries, 22);
  EXPECT_EQ(work.terms, 33);
  EXPECT_EQ(work.levels, 4);
}

TEST(RunCosts, AnOperationCountsAsTheAddressesOfItsShareOfALaunch) {
  RunCosts costs;
  costs.operationUs = 1;
  costs.entryUs = costs.termUs = 0.005;
  costs.levelUs = 4;
  EXPECT_DOUBLE_EQ(costs.leastAddresses({10, 0, 0, 5}), 300) << "1 us and half of a level";
  EXPECT_DOUBLE_EQ(costs.leastAddresses({}), 100) << "no order is known: no levels";
}

} // namespace
} // namespace mpf
