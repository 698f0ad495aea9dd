// Placements: the acceleration schedule is compared with exhaustive search, supersteps with their
// rules.
#include "dsl/support/error.h"
#include "runtime/schedule/arena_order.h"
#include "runtime/schedule/placement/acceleration_schedule.h"
#include "runtime/schedule/placement/place_tasks.h"
#include "runtime/schedule/placement/placed_schedule.h"
#include "runtime/schedule/placement/supersteps.h"
#include "runtime/schedule/placement/timeline.h"
#include "tests/oracle/models/random_placement.h"
#include "tests/support/trials.h"
#include "tests/unit/runtime/schedule/placement/fake_site.h"
#include "tests/unit/runtime/schedule/schedule_bundles.h"

#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace mpf {
namespace {

const PlacementSite kSite = test::siteWith(1);

/// Returns the least serialUs over all placements.
double leastSerialUs(const PlacementTasks &tasks, const PlacementSite &site = kSite) {
  double leastUs = std::numeric_limits<double>::infinity();
  std::vector<size_t> places(tasks.tasks.size(), 0);
  for (size_t at = 0; at < places.size();) {
    std::vector<DeviceId> devices;
    for (const size_t place : places)
      devices.push_back(site.devices[place].id);
    leastUs = std::min(leastUs, serialUs(tasks, devices, site));
    for (at = 0; at < places.size() && ++places[at] == site.devices.size(); ++at)
      places[at] = 0;
  }
  return leastUs;
}

TEST(AccelerationSchedule, IsTheBestForTrees) {
  std::mt19937_64 random(1);
  int mixed = 0;
  for (int i = 0; i < trials(300) && !HasFailure(); ++i) {
    const uint32_t gpus = 1 + i % 2;
    const PlacementSite site = test::siteWith(gpus);
    const PlacementTasks tasks = test::randomTasks(random, 1 + i % (10 / gpus), 1, 1 + gpus);
    const std::vector<DeviceId> devices = accelerationSchedule(tasks, site);
    EXPECT_NEAR(serialUs(tasks, devices, site), leastSerialUs(tasks, site), 1e-9) << i;
    mixed += TaskPlacement{devices}.isMixed();
  }
  EXPECT_GT(mixed, trials(20));
}

TEST(AccelerationSchedule, IsCloseToTheBestWhereMessagesAreShared) {
  std::mt19937_64 random(2);
  double ratio = 0;
  const int count = trials(200);
  for (int i = 0; i < count; ++i) {
    const PlacementTasks tasks = test::randomTasks(random, 2 + i % 9, 3);
    const double timeUs = serialUs(tasks, accelerationSchedule(tasks, kSite), kSite);
    const double leastUs = leastSerialUs(tasks);
    EXPECT_GE(timeUs, leastUs - 1e-9);
    EXPECT_LE(timeUs, 1.7 * leastUs + 1e-9) << i;
    ratio += leastUs > 0 ? timeUs / leastUs : 1;
  }
  EXPECT_LT(ratio / count, 1.03);
}

/// An example like figure 1 of the Gems chapter: alone the first kernel is faster on the CPU, but
/// copies of the tables between the kernels cost more than that.
TEST(AccelerationSchedule, WeighsTransfersWhereGreedyDoesNot) {
  PlacementTasks tasks;
  tasks.tasks = {
      {0, 1, {100, 20}, {}, {0}}, {1, 1, {10, 15}, {0}, {1}}, {2, 1, {100, 20}, {1}, {2}}};
  tasks.taskOf = {0, 1, 2};
  tasks.tables = {{BufferId(size_t{0}), 0, {1}, false, 1000},
                  {BufferId(size_t{1}), 1, {2}, false, 1000},
                  {BufferId(size_t{2}), 2, {}, true, 1000}};
  const std::vector<DeviceId> devices = accelerationSchedule(tasks, kSite);
  EXPECT_EQ(devices, std::vector<DeviceId>(3, DeviceId::gpu(0)));
  EXPECT_EQ(serialUs(tasks, devices, kSite), 20 + 15 + 20 + 15);
  const std::vector<DeviceId> greedy = {DeviceId::gpu(0), DeviceId::cpu(), DeviceId::gpu(0)};
  EXPECT_EQ(serialUs(tasks, greedy, kSite), 20 + 10 + 20 + 3 * 15);
}

OperationTimes randomTimes(const Bundle &bundle, std::mt19937_64 &random) {
  OperationTimes times{std::vector<std::vector<double>>(2)};
  for (size_t i = 0; i < bundle.operations.size(); ++i) {
    times.us[0].push_back(static_cast<double>(random() % 100));
    times.us[1].push_back(static_cast<double>(random() % 100));
  }
  return times;
}

TEST(Supersteps, KeepWhatMustComeBehind) {
  std::mt19937_64 random(3);
  uint32_t most = 0;
  for (int i = 0; i < 300 && !HasFailure(); ++i) { // takes no time
    const Bundle bundle = randomScheduleBundle(random);
    const PlacementTasks tasks = placementTasks(bundle, randomTimes(bundle, random));
    const std::vector<DeviceId> devices = oracle::randomDevices(tasks, random);
    const std::vector<uint32_t> supersteps = superstepsOf(tasks, devices);
    const std::vector<std::vector<uint32_t>> order = arenaOrder(bundle, {});
    for (uint32_t op = 0; op < bundle.operations.size(); ++op)
      for (const uint32_t earlier : order[op])
        EXPECT_LE(supersteps[tasks.taskOf[earlier]], supersteps[tasks.taskOf[op]]);
    for (const PlacedTable &table : tasks.tables)
      for (const uint32_t reader : table.readers)
        EXPECT_GE(supersteps[reader],
                  supersteps[table.writer] + (devices[reader] != devices[table.writer] ? 1 : 0));
    for (const uint32_t superstep : supersteps)
      most = std::max(most, superstep);
  }
  EXPECT_GT(most, 2u);
}

TEST(Supersteps, TakeTheLongerOfBothDevices) {
  PlacementTasks tasks;
  tasks.tasks = {{0, 1, {30, 9}, {}, {0}}, {1, 1, {9, 50}, {}, {1}}, {2, 1, {7, 9}, {0, 1}, {2}}};
  tasks.taskOf = {0, 1, 2};
  tasks.tables = {{BufferId(size_t{0}), 0, {2}, false, 100},
                  {BufferId(size_t{1}), 1, {2}, false, 300},
                  {BufferId(size_t{2}), 2, {}, true, 100}};
  const std::vector<DeviceId> devices = {DeviceId::cpu(), DeviceId::gpu(0), DeviceId::cpu()};
  const Timeline line = timelineOf(tasks, devices, {0, 0, 1}, kSite);
  EXPECT_EQ(line.totalUs(), 50 + (5 + 3) + 20 + 7 + 1000);
  ASSERT_EQ(line.bars.size(), 5u);
  const auto expectBar = [&](size_t i, DeviceId device, double startUs, double endUs) {
    EXPECT_EQ(line.bars[i].device, device) << i;
    EXPECT_EQ(line.bars[i].startUs, startUs) << i;
    EXPECT_EQ(line.bars[i].endUs, endUs) << i;
  };
  expectBar(0, DeviceId::cpu(), 0, 30);
  expectBar(1, DeviceId::gpu(0), 0, 50);
  expectBar(2, DeviceId::gpu(0), 50, 58);
  EXPECT_EQ(line.bars[2].to, DeviceId::cpu());
  expectBar(3, DeviceId::gpu(0), 58, 78);
  expectBar(4, DeviceId::cpu(), 78, 85);
}

TEST(Timeline, CopiesUpStandBesideTheGpuWhereNothingElseHasTheirMemory) {
  PlacementTasks tasks;
  tasks.tasks = {{0, 1, {10, 9}, {}, {0}}, {1, 1, {9, 50}, {}, {1}}, {2, 1, {7, 9}, {0}, {2}}};
  tasks.taskOf = {0, 1, 2};
  tasks.tables = {{BufferId(size_t{0}), 0, {2}, false, 1000, true},
                  {BufferId(size_t{1}), 1, {}, true, 300},
                  {BufferId(size_t{2}), 2, {}, true, 100}};
  const std::vector<DeviceId> devices = {DeviceId::cpu(), DeviceId::gpu(0), DeviceId::gpu(0)};
  const Timeline beside = timelineOf(tasks, devices, {0, 0, 1}, kSite);
  tasks.tables[0].isAlone = false;
  const Timeline behind = timelineOf(tasks, devices, {0, 0, 1}, kSite);
  const auto upload = [](const Timeline &line) {
    return *std::ranges::find(line.bars, DeviceId::gpu(0), &TimelineBar::to);
  };
  EXPECT_EQ(upload(beside).startUs, 10);
  EXPECT_EQ(upload(beside).endUs, 10 + 5 + 10);
  EXPECT_EQ(upload(behind).startUs, 50 + 5 + 3) << "what comes down is waited for with the GPU";
  EXPECT_EQ(behind.endUs - beside.endUs, 5 + 10);
}

TEST(Timeline, LetsNoLaneDoTwoThingsAtOnce) {
  std::mt19937_64 random(6);
  for (int i = 0; i < trials(300) && !HasFailure(); ++i) {
    const Bundle bundle = randomScheduleBundle(random);
    const PlacementTasks tasks = placementTasks(bundle, randomTimes(bundle, random));
    const std::vector<DeviceId> devices = oracle::randomDevices(tasks, random);
    const Timeline line = timelineOf(tasks, devices, superstepsOf(tasks, devices), kSite);
    std::map<std::pair<DeviceId, std::optional<DeviceId>>, double> endUs; // by device, or link
    std::map<uint32_t, std::pair<double, double>> ran;                    // by first operation
    std::map<uint32_t, double> there; // by table: on the other device
    for (const TimelineBar &bar : line.bars) {
      double &lastUs = endUs[{bar.device, bar.to}];
      EXPECT_GE(bar.startUs, lastUs);
      EXPECT_LE(bar.endUs, line.endUs);
      lastUs = bar.endUs;
      if (bar.to) {
        there[bar.table.value] = bar.endUs;
      } else if (bar.count > 0) {
        EXPECT_TRUE(ran.insert({bar.first, {bar.startUs, bar.endUs}}).second);
      }
    }
    ASSERT_EQ(ran.size(), tasks.tasks.size());
    for (const PlacedTable &table : tasks.tables)
      for (const uint32_t reader : table.readers) {
        const bool isCopied = devices[reader] != devices[table.writer];
        EXPECT_GE(ran.at(tasks.tasks[reader].first).first,
                  isCopied ? there.at(table.buffer.value)
                           : ran.at(tasks.tasks[table.writer].first).second);
      }
  }
}

/// Returns times that do not depend on the placement of other operations.
PlacementTimes fixedTimes(const OperationTimes &times) {
  return {times,
          [times](const std::vector<DeviceId> &, const std::vector<uint32_t> &) { return times; }};
}

TEST(PlaceTasks, OffersAreOfWhatOperationsTakeWhereTheyArePlaced) {
  std::mt19937_64 random(9);
  const Bundle bundle = randomScheduleBundle(random);
  const size_t count = bundle.operations.size();
  PlacementTimes times;
  times.alone = {{std::vector<double>(count, 1), std::vector<double>(count, 1e6)}};
  times.placed = [count](const std::vector<DeviceId> &devices,
                         const std::vector<uint32_t> &supersteps) {
    EXPECT_EQ(devices.size(), count);
    EXPECT_EQ(supersteps.size(), count);
    return OperationTimes{{std::vector<double>(count, 7), std::vector<double>(count, 1e6)}};
  };
  const PlacementChoice cpu = placeTasks(bundle, times, kSite, PlacementMethod::Greedy);
  EXPECT_DOUBLE_EQ(cpu.timeUs, 7.0 * static_cast<double>(count));
}

TEST(PlaceTasks, AutoIsTheLeastOffer) {
  std::mt19937_64 random(4);
  std::set<PlacementMethod> chosen;
  for (int i = 0; i < trials(300) && !HasFailure(); ++i) {
    const Bundle bundle = randomScheduleBundle(random);
    const PlacementTimes times = fixedTimes(randomTimes(bundle, random));
    const PlacementSite site = test::siteWith(1, static_cast<double>(random() % 50), 1);
    const PlacementChoice best = placeTasks(bundle, times, site, PlacementMethod::Auto);
    chosen.insert(best.method);
    for (const PlacementOffer &offer : best.offers) {
      EXPECT_LE(best.timeUs, offer.timeUs);
      const PlacementChoice one = placeTasks(bundle, times, site, offer.method);
      EXPECT_EQ(one.method, offer.method);
      EXPECT_EQ(one.timeUs, offer.timeUs);
      EXPECT_EQ(one.placement.devices.size(), bundle.operations.size());
    }
  }
  EXPECT_GE(chosen.size(), 3u);
}

TEST(PlacedSchedule, CopiesWhatCrossesAtTheEndOfItsSuperstep) {
  std::mt19937_64 random(5);
  size_t copies = 0;
  for (int i = 0; i < trials(300) && !HasFailure(); ++i) {
    const Bundle bundle = randomScheduleBundle(random);
    const PlacementTasks tasks = placementTasks(bundle, OperationTimes());
    const std::vector<DeviceId> devices = oracle::randomDevices(tasks, random, 1 + i % 3);
    const std::vector<uint32_t> supersteps = superstepsOf(tasks, devices);
    const TaskPlacement placement{byOperation(tasks, devices)};
    // The devices that have each table, at each step of the schedule.
    std::set<std::pair<uint32_t, DeviceId>> there;
    for (const BundleInput &input : bundle.inputs)
      there.insert({input.buffer.value, DeviceId::cpu()});
    std::vector<ScheduleStep> copiesDue;
    std::set<uint32_t> ran;
    for (const ScheduleStep &step :
         placedSchedule(bundle, placement, byOperation(tasks, supersteps)).steps) {
      const auto copy = [&](const ScheduleStep &of) {
        EXPECT_TRUE(there.contains({of.index, of.device}));
        EXPECT_NE(of.device, of.to);
        there.insert({of.index, of.to});
        ++copies;
      };
      if (step.copiesFrom(DeviceId::cpu()) && ran.empty())
        copy(step);
      else if (step.kind == StepKind::Copy)
        copiesDue.push_back(step);
      if (step.kind == StepKind::EndSuperstep) {
        std::for_each(copiesDue.begin(), copiesDue.end(), copy);
        copiesDue.clear();
      }
      if (step.kind != StepKind::Run)
        continue;
      EXPECT_TRUE(ran.insert(step.index).second);
      EXPECT_EQ(step.device, placement.devices[step.index]);
      const BundleOperation &operation = bundle.operations[step.index];
      for (const BundleAccess &operand : operation.operands)
        EXPECT_TRUE(there.contains({operand.buffer.value, step.device}));
      there.insert({operation.result.buffer.value, step.device});
    }
    EXPECT_EQ(ran.size(), bundle.operations.size());
    for (const BundleOutput &output : bundle.outputs)
      EXPECT_TRUE(there.contains({output.buffer.value, DeviceId::cpu()}));
  }
  EXPECT_GT(copies, static_cast<size_t>(trials(300)));
}

TEST(PlacementMethods, AreNamed) {
  for (const PlacementMethodName &method : placementMethods()) {
    EXPECT_EQ(placementMethodNamed(method.name), method.method);
    EXPECT_EQ(placementMethodName(method.method), method.name);
  }
  EXPECT_THROW(placementMethodNamed("fastest"), Error);
}

} // namespace
} // namespace mpf
