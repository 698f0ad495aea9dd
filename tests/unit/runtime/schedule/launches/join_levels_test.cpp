// Levels that share a resident launch: the work of blocks, the choice of launches, the invariants.
#include "runtime/schedule/launches/join_levels.h"

#include "codegen/bundle/table_driven_shape.h"
#include "dsl/support/error.h"
#include "tests/unit/runtime/schedule/level_bundle.h"

#include <algorithm>
#include <limits>
#include <random>
#include <tuple>

namespace mpf {
namespace {

JoinOptions joining(uint64_t residentBlocks) {
  JoinOptions options;
  options.which = JoinLevels::On;
  options.residentBlocks = residentBlocks;
  return options;
}

/// Levels of `widths` operations; each reads two of the level before.
LevelBundle layers(const std::vector<size_t> &widths, uint64_t outputs = 64, uint64_t terms = 16) {
  LevelBundle bundle;
  size_t first = 0, before = 1; // buffers of the level before
  for (const size_t width : widths) {
    for (size_t i = 0; i < width; ++i)
      bundle.operation(outputs, terms, {first + i % before, first + (i + 1) % before});
    first += before;
    before = width;
  }
  return bundle;
}

std::vector<LevelTask> tasksOf(const LaunchPlan &plan) {
  std::vector<LevelTask> tasks;
  for (const LevelMapping &mapping : plan.mappings)
    for (const LevelBlock &block : mapping.blocks)
      for (const LevelStep &step : block)
        tasks.insert(tasks.end(), step.tasks.begin(), step.tasks.end());
  const auto key = [](const LevelTask &task) {
    return std::tuple(task.operation, task.outputs.first, task.terms.first);
  };
  std::sort(tasks.begin(), tasks.end(),
            [&](const LevelTask &a, const LevelTask &b) { return key(a) < key(b); });
  return tasks;
}

TEST(JoinLevels, WideLevelsArePhasesOfOneLaunch) {
  LevelBundle bundle = layers({40, 40, 7});
  const LaunchPlan apart = bundle.plan();
  ASSERT_EQ(apart.launches.size(), 3u);
  const LaunchPlan joined = bundle.plan(joining(200));
  ASSERT_EQ(joined.launches.size(), 1u);
  const LevelMapping &mapping = joined.mappings[0];
  EXPECT_EQ(phasesOf(mapping), 3u);
  EXPECT_EQ(mapping.blocks.size(), apart.mappings[0].blocks.size());
  EXPECT_EQ(mapping.blocks.back().back().phase, 1u) << "it has no part of the last phase";
  EXPECT_EQ(tasksOf(joined), tasksOf(apart)) << "the same bits";
}

TEST(JoinLevels, APhaseOfMoreBlocksThanAreResidentIsFolded) {
  LevelBundle bundle = layers({40, 40}, 512, 4);
  const LaunchPlan apart = bundle.plan();
  const LaunchPlan joined = bundle.plan(joining(7));
  ASSERT_EQ(joined.launches.size(), 1u);
  EXPECT_EQ(joined.launches[0].gridBlocks, 7u);
  EXPECT_GT(apart.launches[0].gridBlocks, 7u);
  EXPECT_EQ(tasksOf(joined), tasksOf(apart));
  size_t least = SIZE_MAX, most = 0;
  for (const LevelBlock &block : joined.mappings[0].blocks) {
    least = std::min(least, block.size());
    most = std::max(most, block.size());
  }
  EXPECT_LE(most - least, 2u) << "one part more in each phase";
}

TEST(JoinLevels, MoreBlocksThanAreResidentMayNotWait) {
  LevelBundle bundle = layers({40, 40});
  const LaunchPlan plan = bundle.plan(joining(200));
  const uint64_t blocks = plan.launches[0].gridBlocks;
  EXPECT_EQ(findFault(plan, bundle.bundle(), {}, {}, blocks), "");
  EXPECT_EQ(findFault(plan, bundle.bundle(), {}, {}, blocks - 1),
            fmt::format("launch 0: {} blocks wait for each other, and {} are resident", blocks,
                        blocks - 1));
}

TEST(JoinLevels, NothingIsJoinedWhereNoBlockMayWait) {
  EXPECT_EQ(layers({40, 40}).plan(joining(0)).launches.size(), 2u);
  JoinOptions off = joining(200);
  off.which = JoinLevels::Off;
  EXPECT_EQ(layers({40, 40}).plan(off).launches.size(), 2u);
}

TEST(JoinLevels, LaunchesThatAreNotGroupedAreNotJoined) {
  LevelBundle bundle = layers({2, 2});
  LaunchOptions options;
  options.inputStates.resize(bundle.bundle().buffers.size());
  options.grouped = false;
  options.joins = joining(200);
  EXPECT_EQ(buildLaunchPlan(bundle.bundle(), options).launches.size(), 4u);
}

TEST(JoinLevels, AKernelOfAnotherKindEndsALaunch) {
  LevelBundle bundle = layers({40, 40, 40, 40});
  bundle.bundle().kernels.emplace_back().name = "own";
  bundle.bundle().operations[45].kernel = 1;
  const LaunchPlan plan = bundle.plan(joining(200));
  std::vector<LaunchKind> kinds;
  for (const Launch &launch : plan.launches)
    kinds.push_back(launch.kind);
  EXPECT_EQ(kinds, (std::vector{LaunchKind::Level, LaunchKind::Specialised, LaunchKind::Level}));
  EXPECT_EQ(phasesOf(plan.mappings[0]), 2u);
  EXPECT_EQ(phasesOf(plan.mappings[1]), 2u);
}

/// One launch has the fallback of a level's kernel, and the next level.
TEST(JoinLevels, AFallbackIsAPhaseInFrontOfALevel) {
  LevelBundle bundle = layers({40, 40, 40, 40});
  bundle.bundle().kernels.emplace_back().name = "own";
  bundle.bundle().operations[45].kernel = 1;
  LaunchOptions options;
  options.inputStates.resize(bundle.bundle().buffers.size());
  options.inputStates[0] = {0, -2000, 0, 0}; // products may be too small for linear arithmetic
  options.multiprocessors = kMultiprocessors;
  options.joins = joining(200);
  const LaunchPlan plan = buildLaunchPlan(bundle.bundle(), options);
  EXPECT_EQ(findFault(plan, bundle.bundle(), {}, {}, 200), "");
  ASSERT_EQ(plan.launches.size(), 3u);
  const Launch &last = plan.launches[2];
  EXPECT_EQ(last.kind, LaunchKind::Level);
  EXPECT_EQ(last.arithmetic, LaunchArithmetic::Either);
  const LevelMapping &mapping = plan.mappings[last.mapping];
  EXPECT_EQ(phasesOf(mapping), 3u);
  EXPECT_EQ(mapping.blocks[0][0].tasks[0].operation, 45u);
  const std::vector<PhaseWork> work = workOf(bundle.bundle(), mapping);
  EXPECT_EQ(work[0].blocks[0].stretchUs, 0) << "usually there is nothing to do";
  EXPECT_GT(work[1].blocks[0].stretchUs, 0);
}

TEST(JoinLevels, AreJoinedWhereAWaitTakesLessThanALaunch) {
  LevelBundle bundle = layers({40, 40, 40});
  JoinOptions options = joining(200);
  options.which = JoinLevels::Auto;
  options.speed.launchUs = 1.5;
  options.speed.waitUs = 1;
  EXPECT_EQ(bundle.plan(options).launches.size(), 1u);
  options.speed.waitUs = 1.5;
  EXPECT_EQ(bundle.plan(options).launches.size(), 3u);
}

TEST(JoinLevels, AreNotJoinedWhereFoldingCostsMore) {
  LevelBundle bundle = layers({40, 40, 40}, 4096, 64);
  JoinOptions options = joining(1);
  options.which = JoinLevels::Auto;
  options.speed.launchUs = 1.5;
  options.speed.waitUs = 1;
  EXPECT_EQ(bundle.plan(options).launches.size(), 3u);
}

double timeOf(const Bundle &bundle, const std::vector<LevelMapping> &launches,
              const LevelSpeed &speed) {
  double timeUs = 0;
  for (const LevelMapping &launch : launches)
    timeUs += levelUs(workOf(bundle, launch), speed);
  return timeUs;
}

TEST(JoinLevels, TakeTheLeastPredictedTimeOfAllWaysToJoin) {
  std::mt19937_64 random(5);
  size_t mixed = 0; // some are joined, some are not
  for (int trial = 0; trial < 40; ++trial) {
    LevelBundle bundle;
    std::vector<LevelMapping> launches; // they need not depend on each other here
    for (int i = 0; i < 6; ++i) {
      const uint64_t outputs = uint64_t{64} << random() % 12;
      bundle.operation(outputs, 4, {0});
      LevelMapping mapping;
      const uint64_t blocks = 1 + random() % 20;
      for (uint64_t b = 0; b < blocks; ++b) {
        LevelTask task{static_cast<uint32_t>(i), {}, {0, 4}};
        task.outputs = {outputs * b / blocks, outputs * (b + 1) / blocks};
        mapping.blocks.push_back({{false, true, {task}}});
      }
      launches.push_back(std::move(mapping));
    }
    JoinOptions options;
    options.residentBlocks = 10;
    options.speed.multiprocessors = 5;
    options.speed.launchUs = 3;
    options.speed.waitUs = 1;
    const auto joined = joinLevels(bundle.bundle(), launches, options);
    double leastUs = std::numeric_limits<double>::infinity();
    for (unsigned ways = 0; ways < 32; ++ways) { // bit i: launch i + 1 is joined to launch i
      std::vector<LevelMapping> made;
      for (size_t first = 0, end = 0; first < launches.size(); first = end) {
        for (end = first + 1; end < launches.size() && (ways >> (end - 1) & 1) != 0;)
          ++end;
        JoinOptions all = options;
        all.which = JoinLevels::On;
        for (LevelMapping &mapping : joinLevels(bundle.bundle(),
                                                {launches.begin() + static_cast<ptrdiff_t>(first),
                                                 launches.begin() + static_cast<ptrdiff_t>(end)},
                                                all))
          made.push_back(std::move(mapping));
      }
      leastUs = std::min(leastUs, timeOf(bundle.bundle(), made, options.speed));
    }
    EXPECT_NEAR(timeOf(bundle.bundle(), joined, options.speed), leastUs, 1e-9);
    mixed += joined.size() > 1 && joined.size() < launches.size();
  }
  EXPECT_GT(mixed, 5u);
}

TEST(JoinLevels, AreNamedByWords) {
  for (size_t i = 0; i < kJoinLevelsWords.size(); ++i)
    EXPECT_EQ(joinLevelsNamed(kJoinLevelsWords[i]), static_cast<JoinLevels>(i));
  EXPECT_THROW(joinLevelsNamed("maybe"), Error);
}

} // namespace
} // namespace mpf
