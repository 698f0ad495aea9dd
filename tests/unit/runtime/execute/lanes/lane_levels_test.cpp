#include "runtime/execute/lanes/lane_levels.h"

#include "tests/unit/codegen/lanes/lane_programs.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(LaneLevels, AreThoseOfTheCpuOnceTheDeviceIsGivenUp) {
  const LaneProgram program = test::sumOfSquares(10);
  ThreadPool pool(1);
  int made = 0;
  CaseRunnerOptions options;
  options.device = [&](const LaneProgram &of, const CommonTables &common, const LinearPlan &plan,
                       ElementType type, ThreadPool &workers) {
    ++made;
    return makeCpuLanes(of, common, plan, type, workers, {});
  };
  LaneLevels levels(program, options, pool);
  levels.prepare();
  ASSERT_GE(levels.count(), 1u);
  const std::shared_ptr<LaneExecutor> device = levels.device();
  ASSERT_NE(device, nullptr);
  EXPECT_EQ(&levels.executor(0), device.get());
  levels.leaveDevice(nullptr, "one that was never made");
  EXPECT_EQ(levels.device(), device);
  levels.leaveDevice(device.get(), "lost");
  EXPECT_EQ(levels.device(), nullptr);
  EXPECT_NE(&levels.executor(0), device.get());
  EXPECT_EQ(made, 1);
  levels.leaveDevice(&levels.executor(0), "the CPU");
  EXPECT_EQ(levels.deviceFault(), "lost");
}

TEST(LaneLevels, AreMadeOnce) {
  const LaneProgram program = test::sumOfSquares(10);
  ThreadPool pool(1);
  LaneLevels levels(program, {}, pool);
  levels.prepare();
  EXPECT_EQ(levels.device(), nullptr);
  const LaneExecutor *const first = &levels.executor(0);
  levels.prepare();
  EXPECT_EQ(&levels.executor(0), first);
  EXPECT_FALSE(levels.wide().empty());
  EXPECT_THROW(levels.bind("nothing", {}), Error);
}

} // namespace
} // namespace mpf
