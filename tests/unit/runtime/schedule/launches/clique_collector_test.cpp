// The Clique Collector: merged and split operations, levels that share a launch, and operations
// that must not share one.
#include "runtime/schedule/launches/clique_collector.h"

#include "codegen/bundle/table_driven_shape.h"
#include "runtime/schedule/arena_order.h"
#include "runtime/schedule/launches/build_launch_plan.h"
#include "runtime/schedule/launches/launch_use.h"
#include "runtime/schedule/launches/verify_launch_plan.h"
#include "runtime/schedule/launches/verify_mapping.h"
#include "runtime/schedule/lay_apart.h"
#include "tests/unit/runtime/schedule/level_bundle.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

size_t barriersOf(const LevelBlock &block) {
  size_t barriers = 0;
  for (const LevelStep &step : block)
    barriers += step.barrier;
  return barriers;
}

TEST(CliqueCollector, MergesSmallOperationsEightToABlock) {
  LevelBundle bundle;
  for (int i = 0; i < 20; ++i)
    bundle.operation(4, 4, {0});
  const LaunchPlan plan = bundle.plan();
  ASSERT_EQ(plan.launches.size(), 1u);
  const LevelMapping &mapping = plan.mappings[0];
  ASSERT_EQ(mapping.blocks.size(), 3u);
  EXPECT_EQ(mapping.blocks[0].front().tasks.size(), kLevelWarps);
  EXPECT_EQ(mapping.blocks[2].front().tasks.size(), 4u);
  EXPECT_FALSE(mapping.blocks[0].front().wholeBlock);
}

TEST(CliqueCollector, GivesAMiddlingOperationABlock) {
  const LaunchPlan plan = LevelBundle().operation(64, 8, {0}).plan();
  ASSERT_EQ(plan.mappings[0].blocks.size(), 1u);
  EXPECT_TRUE(plan.mappings[0].blocks[0].front().wholeBlock);
}

TEST(CliqueCollector, SplitsALargeOperationByItsResults) {
  const uint64_t outputs = 8 * kLevelLeastAddresses;
  const LaunchPlan plan = LevelBundle().operation(outputs, 1, {0}).plan();
  const LevelMapping &mapping = plan.mappings[0];
  ASSERT_EQ(mapping.blocks.size(), 8u);
  EXPECT_EQ(mapping.blocks[7].front().tasks[0].outputs, (AddressRange{outputs / 8 * 7, outputs}));
}

TEST(CliqueCollector, SplitsTheTermsOfFewResults) {
  const uint64_t terms = 64 * kLevelBlockAddresses;
  const LaunchPlan plan = LevelBundle().operation(2, terms, {0}).plan();
  const LevelMapping &mapping = plan.mappings[0];
  EXPECT_GT(mapping.blocks.size(), 8u);
  EXPECT_EQ(mapping.blocks[0].front().tasks[0].outputs, (AddressRange{0, 2}));
  EXPECT_LT(mapping.blocks[0].front().tasks[0].terms.end, terms);
}

TEST(CliqueCollector, FillsTheDeviceAndNoMore) {
  LevelBundle bundle; // a level of far more addresses than the device has threads for
  for (int i = 0; i < 50; ++i)
    bundle.operation(100000, 1000, {0});
  const LaunchPlan plan = bundle.plan();
  ASSERT_EQ(plan.mappings.size(), 1u);
  EXPECT_GE(plan.mappings[0].blocks.size(), 2 * kMultiprocessors);
  EXPECT_LE(plan.mappings[0].blocks.size(), 4 * 2 * kMultiprocessors + 50) << "four rounds";
}

TEST(CliqueCollector, AllBlocksOfAMiddlingLevelAreResident) {
  LevelBundle bundle; // seven operations that would round up to seven blocks too many
  for (int i = 0; i < 7; ++i)
    bundle.operation(120000, 1, {0});
  const LaunchPlan plan = bundle.plan();
  ASSERT_EQ(plan.mappings.size(), 1u);
  EXPECT_LE(plan.mappings[0].blocks.size(), 2 * kMultiprocessors);
  EXPECT_GT(plan.mappings[0].blocks.size(), kMultiprocessors);
}

TEST(CliqueCollector, ARunOfNarrowLevelsIsOneBlock) {
  LevelBundle bundle;
  for (size_t i = 0; i < 10; ++i)
    bundle.operation(4, 4, {i});
  const LaunchPlan plan = bundle.plan();
  ASSERT_EQ(plan.mappings.size(), 1u);
  ASSERT_EQ(plan.mappings[0].blocks.size(), 1u);
  EXPECT_EQ(plan.mappings[0].blocks[0].size(), 10u);
  EXPECT_EQ(barriersOf(plan.mappings[0].blocks[0]), 9u);
}

TEST(CliqueCollector, IndependentBranchesAreBlocksOfOneLaunch) {
  LevelBundle bundle; // 12 branches, in each of which a block computes three levels
  for (size_t i = 0; i < 12; ++i)
    bundle.operation(64, 8, {0});
  for (size_t i = 12; i < 36; ++i)
    bundle.operation(64, 8, {i - 11});
  const LaunchPlan plan = bundle.plan();
  ASSERT_EQ(plan.mappings.size(), 1u);
  ASSERT_EQ(plan.mappings[0].blocks.size(), 12u);
  for (const LevelBlock &block : plan.mappings[0].blocks)
    EXPECT_EQ(barriersOf(block), 2u);
}

TEST(CliqueCollector, AWideMeetingOfBranchesIsALaunchOfItsOwn) {
  LevelBundle bundle; // 40 messages meet: one block would have five steps
  std::vector<size_t> messages;
  for (size_t i = 0; i < 40; ++i) {
    bundle.operation(4, 4, {0});
    messages.push_back(i + 1);
  }
  for (size_t i = 0; i < 8; ++i)
    bundle.operation(4, 4,
                     {messages[5 * i], messages[5 * i + 1], messages[5 * i + 2],
                      messages[5 * i + 3], messages[5 * i + 4]});
  bundle.operation(4, 4, {41, 42, 43, 44, 45, 46, 47, 48});
  const LaunchPlan plan = bundle.plan();
  ASSERT_EQ(plan.mappings.size(), 2u) << "of a tree of 49, two levels and one";
  EXPECT_EQ(plan.mappings[0].blocks.size(), 8u);
  EXPECT_EQ(plan.mappings[1].blocks.size(), 1u);
}

TEST(ArenaOrder, MemoryThatIsUsedAgainKeepsOperationsApart) {
  LevelBundle bundle; // results of 512 bytes, of which the last two share memory
  bundle.operation(4, 4, {0}).operation(4, 4, {1}).operation(4, 4, {0}).operation(4, 4, {0});
  bundle.at(3, 768).at(4, 1024 + 128); // the third has the first half of the first one's memory
  const std::vector<std::vector<uint32_t>> order = arenaOrder(bundle.bundle(), {});
  EXPECT_EQ(order[1], std::vector<uint32_t>{0});
  EXPECT_EQ(order[2], (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(order[3], (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(arenaOrder(bundle.bundle(), {1, 0, 1, 1})[2], std::vector<uint32_t>{0});
}

TEST(ArenaOrder, SideBySideIsFoundWhereMemoryForbidsIt) {
  LevelBundle bundle;
  bundle.operation(4, 4, {0}).operation(4, 4, {0});
  LaunchPlan plan = bundle.plan();
  ASSERT_EQ(plan.launches.size(), 1u);
  bundle.at(2, 1024); // where the other one's result is
  EXPECT_EQ(findFault(plan, bundle.bundle(), {}), "launch 0: operation 1 must come behind 0");
}

TEST(LayApart, SmallResultsGetMemoryOfTheirOwn) {
  LevelBundle bundle;
  bundle.operation(4, 4, {0}).operation(4, 4, {1}).operation(4, 4, {0});
  bundle.at(3, 1024);
  bundle.bundle().workArenaBytes = 4096;
  EXPECT_EQ(bundle.plan().mappings[0].blocks[0].size(), 3u) << "one behind the other";
  const Bundle apart = layApart(bundle.bundle());
  EXPECT_EQ(apart.workArenaBytes, 4096u + 3 * 512u);
  EXPECT_EQ(apart.buffers[0].offsetBytes, 0u);
  EXPECT_TRUE(arenaOrder(apart, {})[2].empty());
  const Bundle crowded = layApart(bundle.bundle(), 600);
  EXPECT_EQ(crowded.workArenaBytes, 4096u + 512u) << "there is room for one";
  EXPECT_EQ(crowded.buffers[2].offsetBytes, 2048u);
}

TEST(OperationLevels, LoopsAndSumsOverSlicesEndAStretch) {
  LevelBundle bundle;
  for (int i = 0; i < 6; ++i)
    bundle.operation(4, 4, {0});
  bundle.bundle().sliced = {VarId(size_t{0})};
  bundle.bundle().loops = LoopTree({0});
  for (size_t i = 1; i < 5; ++i)
    bundle.bundle().operations[i].loop = 1;
  bundle.bundle().operations[3].accumulates = true;
  const std::vector<Stretch> stretches = stretchesOf(bundle.bundle(), {1, 1, 1, 1, 1, 1});
  ASSERT_EQ(stretches.size(), 4u);
  EXPECT_EQ(stretches[1].operations, (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(stretches[2].operations, std::vector<uint32_t>{4});
}

} // namespace
} // namespace mpf
