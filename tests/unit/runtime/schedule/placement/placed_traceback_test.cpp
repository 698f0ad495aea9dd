// Tracebacks on several devices: the device of each step; messages do not cross for it.
#include "runtime/schedule/placement/placed_schedule.h"
#include "runtime/schedule/placement/placed_traceback.h"
#include "runtime/schedule/placement/supersteps.h"
#include "runtime/schedule/placement/timeline.h"
#include "tests/oracle/models/random_placement.h"
#include "tests/support/trials.h"
#include "tests/unit/runtime/schedule/placement/fake_site.h"
#include "tests/unit/runtime/schedule/schedule_bundles.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace mpf {
namespace {

constexpr DeviceId Cpu = DeviceId::cpu(), Gpu = DeviceId::gpu(0), OtherGpu = DeviceId::gpu(1);

/// Returns the steps of a chain: step i fixes a variable that step i + 1 looks up.
std::vector<TracedStep> chainOf(uint32_t count) {
  std::vector<TracedStep> steps;
  for (uint32_t i = 0; i < count; ++i) {
    steps.push_back({i, {}});
    if (i > 0)
      steps.back().behind = {i - 1};
  }
  return steps;
}

TEST(TracebackParts, ChangeTheDeviceOfAChainWhereItsOperationsDo) {
  const std::vector<TracebackPart> parts = tracebackParts(chainOf(5), {Gpu, Gpu, Cpu, Gpu, Gpu});
  const std::vector<TracebackPart> expected = {{Gpu, {0, 1}}, {Cpu, {2}}, {Gpu, {3, 4}}};
  EXPECT_EQ(parts, expected);
}

/// Steps 0 and 1 belong to two branches; a step follows each.
TEST(TracebackParts, TakeBranchesTogether) {
  const std::vector<TracedStep> steps = {{0, {}}, {1, {}}, {2, {0}}, {3, {1}}};
  const std::vector<TracebackPart> fromGpu = {{Gpu, {1, 3}}, {Cpu, {0, 2}}};
  const std::vector<TracebackPart> fromCpu = {{Cpu, {0, 2}}, {Gpu, {1, 3}}};
  EXPECT_EQ(tracebackParts(steps, {Cpu, Gpu, Cpu, Gpu}), fromCpu);
  const std::vector<TracebackPart> twice = {{Gpu, {1}}, {Cpu, {0, 2, 3}}};
  EXPECT_EQ(tracebackParts(steps, {Cpu, Gpu, Cpu, Cpu}), twice) << "from the CPU it takes three";
}

TEST(TracebackParts, HaveEachStepOnceBehindWhatItNeeds) {
  std::mt19937_64 random(1);
  size_t most = 0;
  for (int i = 0; i < trials(500) && !HasFailure(); ++i) {
    const auto count = static_cast<uint32_t>(1 + random() % 30);
    std::vector<TracedStep> steps;
    std::vector<DeviceId> devices;
    for (uint32_t s = 0; s < count; ++s) {
      std::set<uint32_t> behind;
      while (s > 0 && random() % 2 == 0)
        behind.insert(static_cast<uint32_t>(random() % s));
      steps.push_back({s, {behind.begin(), behind.end()}});
      const DeviceId all[] = {Cpu, Gpu, OtherGpu};
      devices.push_back(all[random() % (2 + i % 2)]);
    }
    std::set<uint32_t> taken;
    const std::vector<TracebackPart> parts = tracebackParts(steps, devices);
    most = std::max(most, parts.size());
    for (size_t p = 0; p < parts.size(); ++p) {
      if (p > 0) {
        EXPECT_NE(parts[p].device, parts[p - 1].device);
      }
      for (const uint32_t step : parts[p].steps) {
        EXPECT_EQ(devices[step], parts[p].device);
        for (const uint32_t earlier : steps[step].behind)
          EXPECT_TRUE(taken.contains(earlier));
        EXPECT_TRUE(taken.insert(step).second);
      }
      for (uint32_t step = 0; step < count; ++step) // a part goes as far as it can
        EXPECT_TRUE(taken.contains(step) || devices[step] != parts[p].device ||
                    !std::ranges::all_of(steps[step].behind, [&](uint32_t earlier) {
                      return taken.contains(earlier);
                    }));
    }
    EXPECT_EQ(taken.size(), count);
  }
  EXPECT_GT(most, 3u);
}

/// Returns a bundle whose traceback reads the operands of each operation, the last one first, as if
/// each were a bucket.
Bundle tracedBundle(std::mt19937_64 &random) {
  Bundle bundle = randomScheduleBundle(random);
  bundle.chains.clear();
  const size_t count = bundle.operations.size();
  bundle.variables.resize(count);
  for (size_t i = count; i-- > 0;) {
    BundleTraceback step{VarId{i}, {}};
    for (const BundleAccess &access : bundle.operations[i].operands)
      step.tables.push_back({access.buffer, {VarId{i}}});
    bundle.traceback.push_back(std::move(step));
  }
  return bundle;
}

OperationTimes anyTimes(const Bundle &bundle) {
  const size_t count = bundle.operations.size();
  return {std::vector(3, std::vector<double>(count, 1))};
}

TEST(PlacedTraceback, FindsItsTablesOnItsDevice) {
  std::mt19937_64 random(2);
  size_t parts = 0;
  for (int i = 0; i < trials(200) && !HasFailure(); ++i) {
    const Bundle bundle = tracedBundle(random);
    const PlacementTasks tasks = placementTasks(bundle, anyTimes(bundle));
    const std::vector<DeviceId> devices =
        byOperation(tasks, oracle::randomDevices(tasks, random, 1 + i % 2));
    std::vector<DeviceId> byTask;
    for (const PlacementTask &task : tasks.tasks)
      byTask.push_back(devices[task.first]);
    const Schedule schedule =
        placedSchedule(bundle, {devices}, byOperation(tasks, superstepsOf(tasks, byTask)));
    std::set<std::pair<uint32_t, DeviceId>> there;
    for (const BundleInput &input : bundle.inputs)
      for (const DeviceId device : {Cpu, Gpu, OtherGpu})
        there.insert({input.buffer.value, device});
    for (const ScheduleStep &step : schedule.steps) {
      if (step.kind == StepKind::Run)
        there.insert({bundle.operations[step.index].result.buffer.value, step.device});
      else if (step.kind == StepKind::Copy)
        there.insert({step.index, step.to});
    }
    for (const TracebackPart &part : tracebackParts(tracedSteps(bundle), devices)) {
      ++parts;
      for (const uint32_t step : part.steps)
        for (const BundleTraceback::Table &table : bundle.traceback[step].tables)
          EXPECT_TRUE(there.contains({table.buffer.value, part.device}));
    }
    for (const PlacedTable &table : tasks.tables)
      for (const uint32_t tracer : table.tracers)
        EXPECT_NE(tracer, table.writer);
  }
  EXPECT_GT(parts, static_cast<size_t>(trials(200)));
}

size_t copiesOf(const Timeline &line) {
  return static_cast<size_t>(
      std::ranges::count_if(line.bars, [](const TimelineBar &bar) { return bar.to.has_value(); }));
}

/// The traceback adds no crossing tables; it costs only its steps and their copies.
TEST(PlacedTraceback, BringsNoMessageDownFromTheGpu) {
  std::mt19937_64 random(3);
  PlacementSite site = test::siteWith(2);
  site.devices[1].trace = {2, 30};
  for (int i = 0; i < trials(100) && !HasFailure(); ++i) {
    const Bundle traced = tracedBundle(random);
    Bundle plain = traced;
    plain.traceback.clear();
    const auto timeline = [&](const Bundle &bundle) {
      const PlacementTasks tasks = placementTasks(bundle, anyTimes(bundle));
      const std::vector<DeviceId> devices(tasks.tasks.size(), Gpu);
      return timelineOf(tasks, devices, superstepsOf(tasks, devices), site);
    };
    const Timeline with = timeline(traced), without = timeline(plain);
    EXPECT_EQ(copiesOf(with), copiesOf(without));
    EXPECT_EQ(with.bars.back().tracedSteps, traced.traceback.size());
    EXPECT_DOUBLE_EQ(with.totalUs() - without.totalUs(),
                     30 + 2 * static_cast<double>(traced.traceback.size()));
  }
}

} // namespace
} // namespace mpf
