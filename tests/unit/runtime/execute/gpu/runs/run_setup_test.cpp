// Copies that overlap the launches of a fake GPU: their streams, and the launches that wait for
// them. The fake (tests/support/fake_cuda.cpp) refuses recordings that a driver refuses.
#include "runtime/execute/gpu/runs/gpu_executor.h"
#include "runtime/schedule/build_schedule.h"
#include "tests/oracle/bind_observed.h"
#include "tests/oracle/bundle_builder.h"
#include "tests/unit/runtime/execute/gpu/scripted_driver.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mpf {
namespace {

/// Adds a table-driven kernel for a driver whose launches do nothing.
void addTableDriven(Bundle &bundle) {
  bundle.tableDriven = bundle.kernels.size();
  BundleKernel &kernel = bundle.kernels.emplace_back();
  kernel.name = "table_driven";
  kernel.source = "extern \"C\" __global__ void mpf_level() {}\n";
}

constexpr Semiring kSumTimes{Reduce::Sum, Combine::Times};

class GpuTransfers : public ScriptedDriver {
protected:
  void SetUp() override {
    ScriptedDriver::SetUp();
    ::unsetenv("MPF_FAKE_CUDA_NO_EXTERNAL");
  }
  void TearDown() override { SetUp(); }

  /// Makes a bundle over three variables with `states` states. The first of four operations
  /// computes an answer over all three; the last one is the first to read an input over all three.
  void make(uint32_t states, bool hidesCopies = true) {
    oracle::BundleBuilder build;
    const VarId a = build.variable(states), b = build.variable(states), c = build.variable(states);
    const std::vector<double> ones(size_t{states} * states * states, 1), few(states, 1);
    const BufferId early = build.input({a, b, c}, ones), small = build.input({a}, few);
    const BufferId answer = build.operation(kSumTimes, {early, small}, {a, b, c});
    BufferId last = build.operation(kSumTimes, {answer}, {a, b});
    last = build.operation(kSumTimes, {last}, {a});
    late_ = build.input({a, b, c}, ones);
    last = build.operation(kSumTimes, {late_, last}, {c});
    build.output(answer);
    build.output(last);
    bundle_ = build.finish();
    addTableDriven(bundle_);
    GpuOptions options;
    options.joins.which = JoinLevels::Off;
    options.joins.speed.launchUs = 1e4; // long launches, which can hide copies
    if (!hidesCopies)
      options.copies = withoutHiding(options.copies);
    executor_ = makeGpuExecutor(bundle_, options);
    oracle::bindObserved(bundle_, *executor_);
    calls();
  }

  /// Returns the calls of one run, with streams by name: those of launches and graphs are "main".
  std::vector<std::string> run() {
    executor_->run(buildSchedule(bundle_, DeviceId::gpu(0)).steps, {});
    std::vector<std::string> lines = wholeCalls();
    for (const std::string &line : lines)
      if (line.starts_with("launch ") || line.starts_with("graph "))
        main_ = word(line, 1);
    std::vector<std::string> named;
    for (const std::string &line : lines) {
      const std::string what = word(line, 0), more = word(line, 2);
      const bool isMain = word(line, 1) == main_;
      if (what == "record")
        setOn_[more] = isMain ? "main" : "beside";
      std::string text = what + (isMain ? " main" : " beside");
      if (what == "wait")
        text += " for " + setOn_[more] + (line.ends_with(" external") ? " external" : "");
      if ((what == "upload" || what == "download") && std::stoull(more) < (uint64_t{1} << 20))
        text += " little";
      named.push_back(text);
    }
    return named;
  }
  void change(BufferId input) { executor_->setInput(input, {0, 0, 0, 0}); }

  static std::string word(const std::string &line, size_t index) {
    size_t begin = 0;
    for (; index != 0 && begin != std::string::npos; --index)
      begin = line.find(' ', begin) + 1;
    return line.substr(begin, line.find(' ', begin) - begin);
  }

  Bundle bundle_;
  BufferId late_;
  std::unique_ptr<Executor> executor_;
  std::string main_;
  std::map<std::string, std::string> setOn_;
};

using Lines = std::vector<std::string>;
constexpr uint32_t kLarge = 64, kSmall = 8; ///< tables of 2 MiB, 4 KiB

TEST_F(GpuTransfers, StandBesideNoLaunchWhereCopiesAreNotToBeHidden) {
  make(kLarge, false);
  for (int i = 0; i < 3; ++i) {
    const Lines lines = run();
    EXPECT_EQ(std::ranges::count(lines, "upload main"), 1);
    for (const std::string &line : lines)
      EXPECT_EQ(line.find("beside"), std::string::npos) << line;
    change(late_);
  }
}

TEST_F(GpuTransfers, OfTheFirstRunGoUpInFrontOfTheLaunchThatNeedsThem) {
  make(kLarge);
  EXPECT_EQ(run(),
            (Lines{"upload main little", "upload main little", "synchronize main", // states, plan
                   "upload main", "launch main", "launch main", "launch main", "upload beside",
                   "record beside", "wait main for beside", "launch main", "download main little",
                   "download main", "download main little", "synchronize main"}));
}

TEST_F(GpuTransfers, OfRecordedRunsStandBesideTheLaunches) {
  make(kLarge);
  run();
  change(late_);
  // This run records a graph and launches it; the next one only launches it.
  EXPECT_EQ(run(), (Lines{"launch main", "record main", "wait beside for main", "download beside",
                          "launch main", "launch main", "wait main for beside external",
                          "launch main", "download main little", "download main little",
                          "record beside", "wait main for beside", "upload beside", "record beside",
                          "graph main", "synchronize main"}));
  change(late_);
  EXPECT_EQ(run(), (Lines{"upload beside", "record beside", "graph main", "synchronize main"}));
}

TEST_F(GpuTransfers, OfInputsThatStayAreNotWaitedFor) {
  make(kLarge);
  run();
  EXPECT_EQ(run(), (Lines{"launch main", "record main", "wait beside for main", "download beside",
                          "launch main", "launch main", "launch main", "download main little",
                          "download main little", "record beside", "wait main for beside",
                          "graph main", "synchronize main"}));
  EXPECT_EQ(run(), (Lines{"graph main", "synchronize main"}));
}

TEST_F(GpuTransfers, AreNotRecordedWhereTheDriverCannotWaitForThem) {
  make(kLarge);
  ::setenv("MPF_FAKE_CUDA_NO_EXTERNAL", "1", 1);
  run();
  change(late_);
  const Lines refused = run();
  EXPECT_EQ(std::ranges::count(refused, "graph main"), 0);
  EXPECT_EQ(std::ranges::count(refused, "wait main for beside"), 2) << "input; results";
  change(late_);
  const Lines after = run();
  EXPECT_EQ(after.front(), "upload main");
  EXPECT_EQ(std::ranges::count(after, "graph main"), 1);
}

TEST_F(GpuTransfers, AreThoseOfTheLastRequestAlone) {
  make(kLarge, false);
  const auto downloads = [&] { return std::ranges::count(run(), "download main"); };
  const auto ofAll = downloads();
  std::vector<ScheduleStep> fewer = buildSchedule(bundle_, DeviceId::gpu(0)).steps;
  fewer.erase(std::ranges::find_if(fewer, [](const ScheduleStep &step) {
    return step.kind == StepKind::Copy && step.device.isGpu();
  }));
  executor_->run(fewer, {});
  EXPECT_LT(std::ranges::count(calls(), "download main"), ofAll);
  EXPECT_EQ(downloads(), ofAll);
}

TEST_F(GpuTransfers, OfSmallProgramsAreOnOneStream) {
  make(kSmall);
  for (int i = 0; i < 3; ++i) {
    change(late_);
    for (const std::string &line : run()) {
      EXPECT_EQ(line.find("beside"), std::string::npos) << line;
      EXPECT_FALSE(line.starts_with("wait") || line.starts_with("record")) << line;
    }
  }
}

class GpuGivenTables : public GpuTransfers {
protected:
  /// A row of results with one table of 32 bytes each, one after the other.
  void makeRow(int results) {
    oracle::BundleBuilder build;
    const VarId a = build.variable(4);
    BufferId last = build.input({a}, {1, 2, 3, 4});
    for (int i = 0; i < results; ++i)
      row_.push_back(last = build.operation(kSumTimes, {last}, {a}));
    build.output(last);
    bundle_ = build.finish();
    addTableDriven(bundle_);
    executor_ = makeGpuExecutor(bundle_, {});
    oracle::bindObserved(bundle_, *executor_);
  }
  void give(const std::vector<size_t> &numbers) {
    std::vector<GivenTable> given;
    for (const size_t i : numbers)
      given.push_back({row_[i],
                       {ElementType::F64,
                        {static_cast<int>(i), 0, 1, 0},
                        4,
                        reinterpret_cast<const std::byte *>(values_),
                        nullptr}});
    executor_->setTables(given);
  }
  size_t uploads(const std::string &stream) {
    size_t count = 0;
    for (const std::string &line : wholeCalls()) {
      const bool isMain = word(line, 1) == main_;
      count += line.starts_with("upload ") && isMain == (stream == "main") ? 1 : 0;
    }
    return count;
  }

  std::vector<BufferId> row_;
  const double values_[4] = {5, 6, 7, 8};
};

TEST_F(GpuGivenTables, ThatLieTogetherGoUpInOneCopyAndTheirStatesInAnother) {
  makeRow(12);
  run();
  calls();
  give({7, 2, 3, 1, 4, 5, 6});
  EXPECT_EQ(uploads("main"), 1u);
  executor_->start({}, {});
  EXPECT_EQ(uploads("main"), 1u) << "states";
  executor_->finish();
  give({2, 9});
  EXPECT_EQ(uploads("main"), 2u);
  executor_->start({}, {});
  EXPECT_EQ(uploads("main"), 1u) << "states, with those between";
  executor_->finish();
  executor_->start({}, {});
  EXPECT_EQ(uploads("main"), 0u);
  executor_->finish();
}

TEST_F(GpuGivenTables, GoUpBesideARunThatHolds) {
  makeRow(12);
  run();
  const std::vector<ScheduleStep> last = {{StepKind::Run, DeviceId::gpu(0), 11}};
  executor_->start(last, {});
  wholeCalls();
  give({1, 2, 3});
  const std::vector<std::string> lines = wholeCalls();
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_TRUE(lines[0].starts_with("upload ") && lines[0].ends_with(" 96")) << lines[0];
  EXPECT_NE(word(lines[0], 1), main_);
  EXPECT_TRUE(lines[1].starts_with("record " + word(lines[0], 1))) << lines[1];
  EXPECT_TRUE(lines[2].starts_with("wait " + main_ + " " + word(lines[1], 2))) << lines[2];
  executor_->finish();
}

TEST_F(GpuGivenTables, AreWhereTheDeviceReadsThem) {
  makeRow(12);
  run();
  give({3, 1, 2});
  const std::vector<ScheduleStep> down = {{StepKind::Copy, DeviceId::gpu(0), row_[1].value},
                                          {StepKind::Copy, DeviceId::gpu(0), row_[2].value},
                                          {StepKind::Copy, DeviceId::gpu(0), row_[4].value}};
  executor_->start(down, {});
  executor_->finish();
  for (const size_t i : {1, 2}) {
    const TableView table = executor_->table(row_[i]);
    EXPECT_EQ(std::memcmp(table.entries, values_, sizeof(values_)), 0) << i;
    EXPECT_EQ(table.state, (TableState{static_cast<int>(i), 0, 1, 0})) << i;
  }
  EXPECT_NE(std::memcmp(executor_->table(row_[4]).entries, values_, sizeof(values_)), 0);
}

TEST_F(GpuTransfers, BringDownWhatTheRunWrote) {
  make(kLarge);
  for (int i = 0; i < 3; ++i) {
    run();
    for (const BundleOutput &output : bundle_.outputs) // the fake's kernels write nothing
      EXPECT_EQ(executor_->table(output.buffer).sizeElems, bundle_.buffer(output.buffer).sizeElems);
  }
}

} // namespace
} // namespace mpf
