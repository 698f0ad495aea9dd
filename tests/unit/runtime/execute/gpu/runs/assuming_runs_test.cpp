#include "runtime/execute/gpu/runs/assuming_runs.h"

#include "tests/oracle/bundle_builder.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(AssumingRuns, AssumeNothingForAWhileAfterAnAssumptionWasBroken) {
  const Bundle bundle;
  AssumingRuns runs(bundle);
  const GpuPlan plan; // its assumption always holds
  EXPECT_TRUE(runs.next(true).assumesLinear);
  EXPECT_FALSE(runs.wasWrong(plan, false, {}));
  EXPECT_TRUE(runs.next(true).assumesLinear);
  EXPECT_TRUE(runs.wasWrong(plan, true, {}));
  int careful = 0;
  while (!runs.next(true).assumesLinear)
    ++careful;
  EXPECT_EQ(careful, 64);
}

TEST(AssumingRuns, AreNeverWrongWithoutAnAssumption) {
  Bundle bundle;
  const GpuPlan plan;
  AssumingRuns runs(bundle);
  EXPECT_FALSE(runs.next(false).assumesLinear); // operations that cannot run again
  EXPECT_FALSE(runs.wasWrong(plan, true, {}));
  EXPECT_TRUE(runs.next(true).assumesLinear);
  runs.skip();
  EXPECT_FALSE(runs.wasWrong(plan, true, {}));
  bundle.forcedLog = true;
  EXPECT_FALSE(runs.next(true).assumesLinear);
}

TEST(AssumingRuns, LetTheHostReadRangesOnlyWithoutSlices) {
  Bundle bundle;
  AssumingRuns runs(bundle);
  EXPECT_TRUE(runs.next(true).hostLooks);
  bundle.sliced = {VarId(size_t{0})};
  EXPECT_FALSE(runs.next(true).hostLooks);
}

} // namespace
} // namespace mpf
