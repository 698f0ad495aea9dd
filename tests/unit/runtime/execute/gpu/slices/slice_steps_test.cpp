#include "runtime/execute/gpu/slices/slice_steps.h"

#include "runtime/schedule/launches/build_launch_plan.h"
#include "tests/unit/runtime/execute/gpu/slices/looped_bundle.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>

namespace mpf {
namespace {

/// Returns "L" with the operations of each launch, "S" with those summed, and loops in brackets.
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
      text += fmt::format(" {}x{}[{} ]", step.loop, step.passes, textOf(all, step.body, plan));
    }
  return text;
}

LaunchPlan planFor(const Bundle &bundle, const std::vector<char> &runs) {
  LaunchOptions options;
  options.inputStates = rangesOfInputs(bundle);
  options.runs = runs;
  return buildLaunchPlan(bundle, options);
}

SliceSteps made(const ReplicatedBundle &program) {
  const std::vector<char> all(program.original.size(), 1);
  return buildSliceSteps(program, planFor(program.bundle, all), all);
}

std::string stepsOf(const Bundle &bundle, const std::vector<char> &runs) {
  const LaunchPlan plan = planFor(bundle, runs);
  const SliceSteps steps = buildSliceSteps(replicateSlices(bundle, {}), plan, runs);
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
  const SliceSteps steps = made(replicateSlices(loopedBundle(), {}));
  // Each slice has a launch that enters it.
  EXPECT_EQ(steps.steps[1].body[1].launchesOfPass(), 3u);
  EXPECT_EQ(steps.steps[1].body[1].launches, 12u);
  EXPECT_EQ(steps.steps[1].launchesOfPass(), 1 + 1 + 12 + 1 + 1u);
  EXPECT_EQ(steps.launches(), 1 + 3 * 16 + 5 * 3u);
}

/// The number of launches of a pass does not depend on its slices; there are fewer passes.
TEST(SliceSteps, TakeSlicesSideBySide) {
  const SliceSteps steps = made(replicateSlices(loopedBundle(), {3, 3, 2}));
  const SliceStep &outer = steps.steps[1], &inner = outer.body[1], &beside = steps.steps[2];
  EXPECT_EQ(outer.passes, 1u);
  EXPECT_EQ(outer.slices, 3u);
  EXPECT_EQ(inner.passes, 2u) << "the second one has one slice and two of them once more";
  EXPECT_EQ(inner.slices, 3u);
  EXPECT_EQ(beside.passes, 3u);
  EXPECT_EQ(inner.launchesOfPass(), 3u);
  EXPECT_EQ(steps.launches(), 1 + 1 * (1 + 1 + 2 * 3 + 1 + 1) + 3 * 3u);
  ASSERT_EQ(steps.sums.size(), 3u);
  EXPECT_EQ(steps.sums[0].operations.size(), 9u) << "of the sum in the inner loop";
  EXPECT_EQ(steps.sums[1].operations.size(), 6u);
  EXPECT_EQ(steps.sums[2].operations.size(), 2u);
}

/// The level kernel reads addresses from memory; other kernels get them from the host.
TEST(SliceSteps, KnowWhichLaunchesAreGivenAddressesThatMove) {
  const SliceSteps same = made(replicateSlices(loopedBundle(), {}));
  EXPECT_TRUE(same.steps[1].areSame);
  const SliceSteps other = made(replicateSlices(loopedBundle(true), {}));
  EXPECT_FALSE(other.steps[1].areSame);
  EXPECT_TRUE(other.steps[1].body[1].areSame) << "the loop inside has none";
  EXPECT_TRUE(other.steps[2].areSame);
}

SliceStep loopOf(uint32_t passes, uint64_t launches, bool nested = false) {
  SliceStep loop;
  loop.kind = SliceStep::Kind::Loop;
  loop.passes = passes;
  SliceStep body;
  body.kind = nested ? SliceStep::Kind::Loop : SliceStep::Kind::Launches;
  body.launches = launches - 1; // one enters its slices
  loop.body.push_back(body);
  return loop;
}

TEST(PassesInGraph, HaveSomeHundredLaunches) {
  EXPECT_EQ(passesInGraph(loopOf(10000, 4), 1), 64u);
  EXPECT_EQ(passesInGraph(loopOf(10, 4), 1000), 10u) << "no more than there are";
  EXPECT_EQ(passesInGraph(loopOf(10000, 300), 1), 1u);
}

TEST(PassesInGraph, AreSomeWhereItIsReplayed) {
  EXPECT_EQ(passesInGraph(loopOf(20, 4), 1), 0u) << "80 launches";
  EXPECT_EQ(passesInGraph(loopOf(3, 300), 1), 0u);
  EXPECT_EQ(passesInGraph(loopOf(200, 4), 1), 50u) << "four times";
  EXPECT_EQ(passesInGraph(loopOf(100000, 5000), 1), 0u) << "too much for one graph";
}

/// Inner loops have separate graphs.
TEST(PassesInGraph, AreNoneWhereTheLoopsInsideHaveMany) {
  EXPECT_EQ(passesInGraph(loopOf(100, 300, true), 1), 0u);
  EXPECT_EQ(passesInGraph(loopOf(100, 128, true), 1), 2u);
}

TEST(PassesInGraph, AreNoneWhereLaunchesDiffer) {
  SliceStep loop = loopOf(10000, 4);
  loop.areSame = false;
  EXPECT_EQ(passesInGraph(loop, 1), 0u);
}

} // namespace
} // namespace mpf
