#include "tests/simt/table_driven_executor.h"

#include "runtime/execute/host/integer_tables.h"
#include "runtime/schedule/launches/clique_collector.h"
#include "tests/simt/slice_device.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace mpf::simt {

namespace {

JoinLevels joinsOf(TableDrivenPath path) {
  return path == TableDrivenPath::Resident ? JoinLevels::On : JoinLevels::Off;
}

/// The executor of runtime/simt, with random mapping vectors, and slices.
class TestedExecutor : public TableDrivenExecutor {
public:
  TestedExecutor(const Bundle &bundle, Program &program, TableDrivenPath path, std::string &faults,
                 const SliceReplicas &replicas)
      : TableDrivenExecutor(
            tableDrivenProgram(bundle, replicas), program, joinsOf(path),
            [&faults](const std::string &, const Report &report) { faults += report.faultText(); }),
        path_(path), faults_(faults), best_(bundle_), random_(bundle.workArenaBytes) {}

  SliceStates bestSlice() const override { return best_.states(); }

private:
  LaunchPlan planFor(const std::vector<char> &runs) override {
    const bool isPlanned = path_ == TableDrivenPath::Level || path_ == TableDrivenPath::Resident;
    return isPlanned ? levelPlan(runs) : anyPlan(runs);
  }

  void play(const LaunchPlan &plan, const std::vector<char> &runs) override {
    if (!bundle_.sliced.empty())
      return playSlices(plan, runs);
    makeLevels(plan, marksLogs());
    playLaunches(plan, 0, plan.launches.size());
  }

  bool marksLogs() const { return hasLogs() && path_ != TableDrivenPath::Normalise; }

  void launchLevel(const mpf::Launch &launch, const LaunchPlan &plan) override {
    TableDrivenExecutor::launchLevel(launch, plan);
    if (path_ != TableDrivenPath::Normalise)
      return;
    resetCounters(); // both kernels use the same counters
    if (hasLogs())
      launchNormalise(launch.first);
  }

  /// Returns the parts of [0, end) for `count` blocks.
  static std::vector<AddressRange> cut(uint64_t end, uint64_t count) {
    std::vector<AddressRange> parts;
    const uint64_t most = (end + count - 1) / count;
    for (uint64_t first = 0; first < end; first += most)
      parts.push_back({first, std::min(first + most, end)});
    return parts;
  }

  LaunchPlan anyPlan(const std::vector<char> &runs) {
    LaunchPlan plan;
    for (uint32_t i = 0; i < bundle_.operations.size(); ++i) {
      if (runs[i] == 0 || bundle_.operations[i].accumulates)
        continue;
      const LevelTask whole = wholeTask(bundle_, i);
      const uint64_t parts = 1 + random_() % 4, way = random_() % 3;
      LevelMapping mapping;
      const uint64_t cutEnd = way == 1 ? whole.outputs.end : whole.terms.end;
      for (const AddressRange &part : cut(cutEnd, way == 0 ? 1 : parts)) {
        LevelTask task = whole;
        (way == 1 ? task.outputs : task.terms) = part;
        mapping.blocks.push_back({{false, way != 0, {task}}});
      }
      mpf::Launch launch{LaunchKind::Level, i, 1,
                         bundle_.forcedLog ? LaunchArithmetic::Log : LaunchArithmetic::Either};
      launch.gridBlocks = mapping.blocks.size();
      launch.mapping = static_cast<uint32_t>(plan.mappings.size());
      plan.launches.push_back(launch);
      plan.mappings.push_back(std::move(mapping));
    }
    return plan;
  }

  void playSlices(const LaunchPlan &plan, const std::vector<char> &runs) {
    makeLevels(plan, marksLogs());
    const SliceSteps steps = buildSliceSteps(replicas_, plan, runs);
    std::vector<std::byte> inputs = deviceInputs();
    SliceDevice device(replicas_, {inputs, work_, states_, initial_, finished_, records_.units},
                       buildSliceTables(replicas_, {deviceBuffers_, {0, 0}, 0, records_}, runs,
                                        LinearAssumption(bundle_, plan), steps.sums),
                       faults_);
    playSteps(plan, steps, steps.steps, device);
    EXPECT_EQ(device.noted.broken, 0) << "nothing was assumed";
    if (device.noted.lost != GpuSliceFaults().lost)
      failOverflow(bundle_.operations[replicas_.first[static_cast<size_t>(device.noted.lost)]].name,
                   bundle_.type);
    best_.setNoted(device.bestNoted());
  }

  void playSteps(const LaunchPlan &plan, const SliceSteps &all, const std::vector<SliceStep> &steps,
                 SliceDevice &device) {
    for (const SliceStep &step : steps)
      if (step.kind == SliceStep::Kind::Launches)
        playLaunches(plan, step.first, step.end);
      else if (step.kind == SliceStep::Kind::Sums)
        device.add(all.sums[step.sums], step.sums);
      else
        playLoop(plan, all, step, device);
  }

  /// Plays a loop. For every other loop whose passes end in sums, one launch does the sums and the
  /// step to the next pass.
  void playLoop(const LaunchPlan &plan, const SliceSteps &all, const SliceStep &loop,
                SliceDevice &device) {
    device.enter(loop.loop);
    for (uint32_t pass = 0; pass < loop.passes; ++pass) {
      const bool isLast = pass + 1 == loop.passes;
      std::vector<SliceStep> body = loop.body;
      if (isLast || !loop.endsInSums() || loop.loop % 2 == 0) {
        playSteps(plan, all, body, device);
        if (!isLast)
          device.enter(loop.loop);
        continue;
      }
      const uint32_t sums = body.back().sums;
      body.pop_back();
      playSteps(plan, all, body, device);
      device.step(all.sums[sums], sums);
    }
  }

  TableDrivenPath path_;
  std::string &faults_;
  BestSlice best_;
  std::mt19937_64 random_; ///< random numbers of AnyMapping
};

} // namespace

const char *suffixOf(TableDrivenPath path) {
  return path == TableDrivenPath::Level        ? "_level"
         : path == TableDrivenPath::Resident   ? "_resident"
         : path == TableDrivenPath::AnyMapping ? "_any_mapping"
                                               : "_normalise";
}

std::unique_ptr<Executor> makeTableDrivenExecutor(const Bundle &bundle, Program &program,
                                                  TableDrivenPath path, std::string &faults,
                                                  const SliceReplicas &replicas) {
  return std::make_unique<TestedExecutor>(bundle, program, path, faults, replicas);
}

} // namespace mpf::simt
