// Branches of task trees that several equal GPUs share.
#include "runtime/schedule/placement/spread_branches.h"

#include "runtime/schedule/placement/acceleration_schedule.h"
#include "runtime/schedule/placement/supersteps.h"
#include "runtime/schedule/placement/timeline.h"
#include "tests/support/trials.h"
#include "tests/unit/runtime/schedule/placement/fake_site.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace mpf {
namespace {

/// Returns two equal branches of `length` tasks each, whose results one task reads. A task takes
/// 1000 us on a GPU and 9000 us on the CPU; the last one takes nothing.
PlacementTasks twoBranches(uint32_t length, size_t gpus, double bytes) {
  PlacementTasks tasks;
  const uint32_t count = 2 * length + 1;
  for (uint32_t i = 0; i < count; ++i) {
    const bool isLast = i + 1 == count;
    std::vector<double> us(1 + gpus, isLast ? 0 : 1000);
    us[0] *= 9;
    tasks.tasks.push_back({i, 1, us, {}, {i}, {}, {}});
    tasks.taskOf.push_back(i);
    std::vector<uint32_t> readers;
    if (!isLast)
      readers.push_back(i + 2 < count ? i + 2 : count - 1); // branches alternate
    tasks.tables.push_back({BufferId(size_t{i}), i, readers, isLast, bytes});
  }
  for (uint32_t i = 0; i < count; ++i)
    for (const uint32_t reader : tasks.tables[i].readers)
      tasks.tasks[reader].reads.push_back(i);
  return tasks;
}

double runUs(const PlacementTasks &tasks, const std::vector<DeviceId> &devices,
             const PlacementSite &site) {
  return timelineOf(tasks, devices, superstepsOf(tasks, devices), site).totalUs();
}

std::vector<DeviceId> spread(const PlacementTasks &tasks, const PlacementSite &site) {
  return spreadBranches(tasks, accelerationSchedule(tasks, site), site);
}

TEST(SpreadBranches, HalvesWhatCanBeHalved) {
  const PlacementTasks tasks = twoBranches(10, 2, 100);
  const PlacementSite one = test::siteWith(1), two = test::siteWith(2);
  const std::vector<DeviceId> devices = spread(tasks, two);
  EXPECT_EQ(std::ranges::count(devices, DeviceId::gpu(1)), 10);
  for (uint32_t i = 2; i < 20; ++i)
    EXPECT_EQ(devices[i], devices[i - 2]) << "a branch stays on its device";
  const PlacementTasks onOne = twoBranches(10, 1, 100);
  const double oneUs = runUs(onOne, spread(onOne, one), one);
  EXPECT_DOUBLE_EQ(oneUs, 1000 + 20 * 1000 + 20 + 6) << "opening, tasks, waiting, the answer";
  EXPECT_LT(runUs(tasks, devices, two), 0.61 * oneUs);
}

/// A chain has one branch, so nothing is gained by a second GPU.
TEST(SpreadBranches, LeavesAChainOnOneGpu) {
  PlacementTasks tasks = twoBranches(10, 2, 100);
  for (PlacementTask &task : tasks.tasks)
    task.reads.clear();
  for (uint32_t i = 0; i + 1 < tasks.tasks.size(); ++i) {
    tasks.tables[i].readers = {i + 1};
    tasks.tasks[i + 1].reads = {i};
  }
  const std::vector<DeviceId> devices = spread(tasks, test::siteWith(2));
  EXPECT_EQ(std::ranges::count(devices, DeviceId::gpu(1)), 0);
}

TEST(SpreadBranches, PricesCopiesByTheLinkBetweenTheGpus) {
  const PlacementTasks tasks = twoBranches(10, 2, 100);
  PlacementSite site = test::siteWith(2);
  for (Link &link : site.links)
    if (link.from.isGpu() && link.to.isGpu())
      link.us = 7;
  const std::vector<DeviceId> cheap = spread(tasks, site);
  EXPECT_EQ(std::ranges::count(cheap, DeviceId::gpu(1)), 10);
  std::vector<TimelineBar> bars = timelineOf(tasks, cheap, superstepsOf(tasks, cheap), site).bars;
  std::erase_if(bars, [](const TimelineBar &bar) { return !bar.to || !bar.to->isGpu(); });
  ASSERT_EQ(bars.size(), 1u);
  EXPECT_NE(bars[0].device, *bars[0].to);
  EXPECT_DOUBLE_EQ(bars[0].endUs - bars[0].startUs, 7 + 1);
  for (Link &link : site.links)
    link.us = 1e5; // longer than what the second GPU saves
  const std::vector<DeviceId> dear = spread(tasks, site);
  EXPECT_EQ(std::ranges::count(dear, DeviceId::gpu(1)), 0);
}

/// Random forests: the placement is never worse than before, and CPU tasks stay.
TEST(SpreadBranches, NeverTakeLonger) {
  std::mt19937_64 random(8);
  int better = 0;
  for (int i = 0; i < trials(200) && !HasFailure(); ++i) {
    const auto gpus = static_cast<uint32_t>(1 + i % 4);
    const PlacementSite site = test::siteWith(gpus, 0, 1);
    const PlacementTasks tasks = test::randomTasks(random, 2 + i % 40, 1 + i % 2, 1 + gpus);
    const std::vector<DeviceId> before = accelerationSchedule(tasks, site);
    const std::vector<DeviceId> after = spreadBranches(tasks, before, site);
    for (size_t t = 0; t < before.size(); ++t)
      EXPECT_EQ(before[t].isGpu(), after[t].isGpu());
    const double beforeUs = runUs(tasks, before, site), afterUs = runUs(tasks, after, site);
    EXPECT_LE(afterUs, beforeUs) << i;
    better += afterUs < beforeUs;
    if (gpus == 1) {
      EXPECT_EQ(after, before);
    }
  }
  EXPECT_GT(better, trials(20));
}

} // namespace
} // namespace mpf
