#include "runtime/execute/gpu/slices/slice_steps.h"

#include "runtime/schedule/build_launch_plan.h"
#include "tests/unit/runtime/execute/gpu/slices/looped_bundle.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>

namespace mpf {
namespace {

/// "L" with the operations of each launch, "S" with those summed, loops in brackets.
std::string textOf(const SliceSteps &all, const std::vector<SliceStep> &steps,
                   const LaunchPlan &plan) {
  std::string text;
  for (const SliceStep &step : steps)
    if (step.kind == SliceStep::Kind::Launches) {
      for (uint32_t i = step.first; i < step.end; ++i)
        text += fmt::format(" L{}", plan.launches[i].first);
    } else if (step.kind == SliceStep::Kind::Sums) {
      text += fmt::format(" S{}", fmt::join(all.sums[step.sums].operations, ","));
    } else {
      text += fmt::format(" {}x{}[{} ]", step.loop, step.extent, textOf(all, step.body, plan));
    }
  return text;
}

LaunchPlan planFor(const Bundle &bundle, const std::vector<char> &runs) {
  LaunchOptions options;
  options.inputStates = rangesOfInputs(bundle);
  options.runs = runs;
  return buildLaunchPlan(bundle, options);
}

std::string stepsOf(const Bundle &bundle, const std::vector<char> &runs) {
  const LaunchPlan plan = planFor(bundle, runs);
  const SliceSteps steps = buildSliceSteps(bundle, plan, runs);
  return textOf(steps, steps.steps, plan);
}

TEST(SliceSteps, AreTheLoopsWithLaunchesAndSums) {
  const Bundle bundle = loopedBundle();
  EXPECT_EQ(stepsOf(bundle, std::vector<char>(9, 1)),
            " L0 1x3[ L1 2x4[ L2 S3 ] L4 S5,6 ] 3x5[ L7 S8 ]");
}

TEST(SliceSteps, LeaveOutWhatDoesNotRun) {
  const Bundle bundle = loopedBundle();
  EXPECT_EQ(stepsOf(bundle, {0, 0, 0, 0, 0, 0, 0, 1, 1}), " 3x5[ L7 S8 ]");
  EXPECT_EQ(stepsOf(bundle, {1, 1, 1, 1, 0, 0, 1, 0, 0}), " L0 1x3[ L1 2x4[ L2 S3 ] S6 ]");
  EXPECT_EQ(stepsOf(bundle, {1, 0, 0, 0, 0, 0, 0, 0, 0}), " L0");
}

TEST(SliceSteps, CountTheirLaunches) {
  const Bundle bundle = loopedBundle();
  const std::vector<char> all(9, 1);
  const SliceSteps steps = buildSliceSteps(bundle, planFor(bundle, all), all);
  // Each slice has a launch that enters it.
  EXPECT_EQ(steps.steps[1].body[1].launchesOfSlice(), 3u);
  EXPECT_EQ(steps.steps[1].body[1].launches, 12u);
  EXPECT_EQ(steps.steps[1].launchesOfSlice(), 1 + 1 + 12 + 1 + 1u);
  EXPECT_EQ(steps.launches(), 1 + 3 * 16 + 5 * 3u);
}

/// The level kernel reads addresses from memory; others are told them by the host.
TEST(SliceSteps, KnowWhichLaunchesAreGivenAddressesThatMove) {
  const std::vector<char> all(9, 1);
  const Bundle levels = loopedBundle(), own = loopedBundle(true);
  const SliceSteps same = buildSliceSteps(levels, planFor(levels, all), all);
  EXPECT_TRUE(same.steps[1].areSame);
  const SliceSteps other = buildSliceSteps(own, planFor(own, all), all);
  EXPECT_FALSE(other.steps[1].areSame);
  EXPECT_TRUE(other.steps[1].body[1].areSame) << "the loop inside has none";
  EXPECT_TRUE(other.steps[2].areSame);
}

SliceStep loopOf(uint32_t extent, uint64_t launches, bool nested = false) {
  SliceStep loop;
  loop.kind = SliceStep::Kind::Loop;
  loop.extent = extent;
  SliceStep body;
  body.kind = nested ? SliceStep::Kind::Loop : SliceStep::Kind::Launches;
  body.launches = launches - 1; // one enters the slice
  loop.body.push_back(body);
  return loop;
}

TEST(SlicesInGraph, HaveSomeHundredLaunches) {
  EXPECT_EQ(slicesInGraph(loopOf(10000, 4), 1), 64u);
  EXPECT_EQ(slicesInGraph(loopOf(10, 4), 1000), 10u) << "no more than there are";
  EXPECT_EQ(slicesInGraph(loopOf(10000, 300), 1), 1u);
}

TEST(SlicesInGraph, AreSomeWhereItIsReplayed) {
  EXPECT_EQ(slicesInGraph(loopOf(20, 4), 1), 0u) << "80 launches";
  EXPECT_EQ(slicesInGraph(loopOf(3, 300), 1), 0u);
  EXPECT_EQ(slicesInGraph(loopOf(200, 4), 1), 50u) << "four times";
  EXPECT_EQ(slicesInGraph(loopOf(100000, 5000), 1), 0u) << "too much for one graph";
}

/// The loops inside have graphs of their own.
TEST(SlicesInGraph, AreNoneWhereTheLoopsInsideHaveMany) {
  EXPECT_EQ(slicesInGraph(loopOf(100, 300, true), 1), 0u);
  EXPECT_EQ(slicesInGraph(loopOf(100, 128, true), 1), 2u);
}

TEST(SlicesInGraph, AreNoneWhereLaunchesDiffer) {
  SliceStep loop = loopOf(10000, 4);
  loop.areSame = false;
  EXPECT_EQ(slicesInGraph(loop, 1), 0u);
}

} // namespace
} // namespace mpf
