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
#include "tests/unit/runtime/schedule/schedule_bundles.h"

#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <set>

namespace mpf {
namespace {

constexpr TransferTimes kTransfers{5, 5, 100, 20, 1000};

/// Returns tasks with random times. Up to `mostReaders` later tasks read each result; the host
/// reads the last one.
PlacementTasks randomTasks(std::mt19937_64 &random, size_t count, size_t mostReaders) {
  PlacementTasks tasks;
  for (uint32_t i = 0; i < count; ++i) {
    tasks.tasks.push_back(
        {i, 1, static_cast<double>(random() % 50), static_cast<double>(random() % 50), {}, {}});
    tasks.taskOf.push_back(i);
  }
  for (uint32_t i = 0; i < count; ++i) {
    std::set<uint32_t> readers;
    for (size_t r = 0; r < 1 + random() % mostReaders && i + 1 < count; ++r)
      readers.insert(static_cast<uint32_t>(i + 1 + random() % (count - i - 1)));
    const auto table = static_cast<uint32_t>(tasks.tables.size());
    tasks.tables.push_back({BufferId(size_t{i}),
                            i,
                            {readers.begin(), readers.end()},
                            i + 1 == count,
                            static_cast<double>(random() % 4000)});
    tasks.tasks[i].writes.push_back(table);
    for (const uint32_t reader : readers)
      tasks.tasks[reader].reads.push_back(table);
  }
  return tasks;
}

double leastSerialUs(const PlacementTasks &tasks) {
  double leastUs = std::numeric_limits<double>::infinity();
  const size_t count = tasks.tasks.size();
  for (uint32_t choice = 0; choice < 1u << count; ++choice) {
    std::vector<StepDevice> devices;
    for (size_t i = 0; i < count; ++i)
      devices.push_back((choice >> i & 1) != 0 ? StepDevice::Gpu : StepDevice::Cpu);
    leastUs = std::min(leastUs, serialUs(tasks, devices, kTransfers));
  }
  return leastUs;
}

TEST(AccelerationSchedule, IsTheBestForTrees) {
  std::mt19937_64 random(1);
  int mixed = 0;
  for (int i = 0; i < trials(300) && !HasFailure(); ++i) {
    const PlacementTasks tasks = randomTasks(random, 1 + i % 10, 1);
    const std::vector<StepDevice> devices = accelerationSchedule(tasks, kTransfers);
    EXPECT_NEAR(serialUs(tasks, devices, kTransfers), leastSerialUs(tasks), 1e-9) << i;
    mixed += TaskPlacement{devices}.isMixed();
  }
  EXPECT_GT(mixed, trials(20));
}

TEST(AccelerationSchedule, IsCloseToTheBestWhereMessagesAreShared) {
  std::mt19937_64 random(2);
  double ratio = 0;
  const int count = trials(200);
  for (int i = 0; i < count; ++i) {
    const PlacementTasks tasks = randomTasks(random, 2 + i % 9, 3);
    const double timeUs = serialUs(tasks, accelerationSchedule(tasks, kTransfers), kTransfers);
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
  tasks.tasks = {{0, 1, 100, 20, {}, {0}}, {1, 1, 10, 15, {0}, {1}}, {2, 1, 100, 20, {1}, {2}}};
  tasks.taskOf = {0, 1, 2};
  tasks.tables = {{BufferId(size_t{0}), 0, {1}, false, 1000},
                  {BufferId(size_t{1}), 1, {2}, false, 1000},
                  {BufferId(size_t{2}), 2, {}, true, 1000}};
  const std::vector<StepDevice> devices = accelerationSchedule(tasks, kTransfers);
  EXPECT_EQ(devices, std::vector<StepDevice>(3, StepDevice::Gpu));
  EXPECT_EQ(serialUs(tasks, devices, kTransfers), 20 + 15 + 20 + 15);
  const std::vector<StepDevice> greedy = {StepDevice::Gpu, StepDevice::Cpu, StepDevice::Gpu};
  EXPECT_EQ(serialUs(tasks, greedy, kTransfers), 20 + 10 + 20 + 3 * 15);
}

OperationTimes randomTimes(const Bundle &bundle, std::mt19937_64 &random) {
  OperationTimes times;
  for (size_t i = 0; i < bundle.operations.size(); ++i) {
    times.cpuUs.push_back(static_cast<double>(random() % 100));
    times.gpuUs.push_back(static_cast<double>(random() % 100));
  }
  return times;
}

TEST(Supersteps, KeepWhatMustComeBehind) {
  std::mt19937_64 random(3);
  uint32_t most = 0;
  for (int i = 0; i < 300 && !HasFailure(); ++i) { // takes no time
    const Bundle bundle = randomScheduleBundle(random);
    const PlacementTasks tasks = placementTasks(bundle, randomTimes(bundle, random));
    const std::vector<StepDevice> devices = oracle::randomDevices(tasks, random);
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
  tasks.tasks = {{0, 1, 30, 9, {}, {0}}, {1, 1, 9, 50, {}, {1}}, {2, 1, 7, 9, {0, 1}, {2}}};
  tasks.taskOf = {0, 1, 2};
  tasks.tables = {{BufferId(size_t{0}), 0, {2}, false, 100},
                  {BufferId(size_t{1}), 1, {2}, false, 300},
                  {BufferId(size_t{2}), 2, {}, true, 100}};
  const std::vector<StepDevice> devices = {StepDevice::Cpu, StepDevice::Gpu, StepDevice::Cpu};
  const Timeline line = timelineOf(tasks, devices, {0, 0, 1}, kTransfers);
  EXPECT_EQ(line.totalUs(), 50 + (5 + 3) + 20 + 7 + 1000);
  ASSERT_EQ(line.bars.size(), 5u);
  const auto expectBar = [&](size_t i, TimelineLane lane, double startUs, double endUs) {
    EXPECT_EQ(line.bars[i].lane, lane) << i;
    EXPECT_EQ(line.bars[i].startUs, startUs) << i;
    EXPECT_EQ(line.bars[i].endUs, endUs) << i;
  };
  expectBar(0, TimelineLane::Cpu, 0, 30);
  expectBar(1, TimelineLane::Gpu, 0, 50);
  expectBar(2, TimelineLane::Downloads, 50, 58);
  expectBar(3, TimelineLane::Gpu, 58, 78);
  expectBar(4, TimelineLane::Cpu, 78, 85);
}

TEST(Timeline, CopiesUpStandBesideTheGpuWhereNothingElseHasTheirMemory) {
  PlacementTasks tasks;
  tasks.tasks = {{0, 1, 10, 9, {}, {0}}, {1, 1, 9, 50, {}, {1}}, {2, 1, 7, 9, {0}, {2}}};
  tasks.taskOf = {0, 1, 2};
  tasks.tables = {{BufferId(size_t{0}), 0, {2}, false, 1000, true},
                  {BufferId(size_t{1}), 1, {}, true, 300},
                  {BufferId(size_t{2}), 2, {}, true, 100}};
  const std::vector<StepDevice> devices = {StepDevice::Cpu, StepDevice::Gpu, StepDevice::Gpu};
  const Timeline beside = timelineOf(tasks, devices, {0, 0, 1}, kTransfers);
  tasks.tables[0].isAlone = false;
  const Timeline behind = timelineOf(tasks, devices, {0, 0, 1}, kTransfers);
  const auto upload = [](const Timeline &line) {
    return *std::ranges::find(line.bars, TimelineLane::Uploads, &TimelineBar::lane);
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
    const std::vector<StepDevice> devices = oracle::randomDevices(tasks, random);
    const Timeline line = timelineOf(tasks, devices, superstepsOf(tasks, devices), kTransfers);
    std::map<TimelineLane, double> endUs;
    std::map<uint32_t, std::pair<double, double>> ran; // by first operation
    std::map<uint32_t, double> there;                  // by table: on the other device
    for (const TimelineBar &bar : line.bars) {
      EXPECT_GE(bar.startUs, endUs[bar.lane]);
      EXPECT_LE(bar.endUs, line.endUs);
      endUs[bar.lane] = bar.endUs;
      if (bar.lane == TimelineLane::Uploads || bar.lane == TimelineLane::Downloads) {
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
  return {times, [times](const std::vector<StepDevice> &, const std::vector<uint32_t> &) {
            return times;
          }};
}

TEST(PlaceTasks, OffersAreOfWhatOperationsTakeWhereTheyArePlaced) {
  std::mt19937_64 random(9);
  const Bundle bundle = randomScheduleBundle(random);
  const size_t count = bundle.operations.size();
  PlacementTimes times;
  times.alone = {std::vector<double>(count, 1), std::vector<double>(count, 1e6)};
  times.placed = [count](const std::vector<StepDevice> &devices,
                         const std::vector<uint32_t> &supersteps) {
    EXPECT_EQ(devices.size(), count);
    EXPECT_EQ(supersteps.size(), count);
    return OperationTimes{std::vector<double>(count, 7), std::vector<double>(count, 1e6)};
  };
  const PlacementChoice cpu = placeTasks(bundle, times, kTransfers, PlacementMethod::Greedy);
  EXPECT_DOUBLE_EQ(cpu.timeUs, 7.0 * static_cast<double>(count));
}

TEST(PlaceTasks, AutoIsTheLeastOffer) {
  std::mt19937_64 random(4);
  std::set<PlacementMethod> chosen;
  for (int i = 0; i < trials(300) && !HasFailure(); ++i) {
    const Bundle bundle = randomScheduleBundle(random);
    const PlacementTimes times = fixedTimes(randomTimes(bundle, random));
    const TransferTimes transfers{1.5, 0.5, 1000, 2, static_cast<double>(random() % 50)};
    const PlacementChoice best = placeTasks(bundle, times, transfers, PlacementMethod::Auto);
    chosen.insert(best.method);
    for (const PlacementOffer &offer : best.offers) {
      EXPECT_LE(best.timeUs, offer.timeUs);
      const PlacementChoice one = placeTasks(bundle, times, transfers, offer.method);
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
    const PlacementTasks tasks = placementTasks(bundle, randomTimes(bundle, random));
    const std::vector<StepDevice> devices = oracle::randomDevices(tasks, random);
    const std::vector<uint32_t> supersteps = superstepsOf(tasks, devices);
    const TaskPlacement placement{byOperation(tasks, devices)};
    // The devices that have each table, at each step of the schedule.
    std::set<std::pair<uint32_t, StepDevice>> there;
    for (const BundleInput &input : bundle.inputs)
      there.insert({input.buffer.value, StepDevice::Cpu});
    std::vector<ScheduleStep> copiesDue;
    std::set<uint32_t> ran;
    for (const ScheduleStep &step :
         placedSchedule(bundle, placement, byOperation(tasks, supersteps)).steps) {
      const auto copy = [&](const ScheduleStep &of) {
        const bool up = of.kind == StepKind::Upload;
        EXPECT_TRUE(there.contains({of.index, up ? StepDevice::Cpu : StepDevice::Gpu}));
        there.insert({of.index, up ? StepDevice::Gpu : StepDevice::Cpu});
        ++copies;
      };
      if (step.kind == StepKind::Upload && ran.empty())
        copy(step);
      else if (step.kind == StepKind::Upload || step.kind == StepKind::Download)
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
      EXPECT_TRUE(there.contains({output.buffer.value, StepDevice::Cpu}));
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
