// Predicted times: curves, the speed of a machine as text, operations of a bundle.
#include "dsl/support/error.h"
#include "runtime/machine/machine_speed.h"
#include "runtime/predict/gpu_work.h"
#include "runtime/predict/predict_cpu.h"
#include "runtime/predict/predict_gpu.h"
#include "runtime/predict/predict_placed.h"
#include "tests/oracle/bundle_builder.h"
#include "tests/unit/runtime/execute/gpu/slices/looped_bundle.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace mpf {
namespace {

TEST(TimeCurve, IsLinearInLogarithms) {
  const TimeCurve curve({{1, 10}, {100, 1000}, {1000, 1000}});
  EXPECT_TRUE(curve.isSound());
  EXPECT_DOUBLE_EQ(curve.timeUs(0.001), 10);
  EXPECT_DOUBLE_EQ(curve.timeUs(1), 10);
  EXPECT_NEAR(curve.timeUs(10), 100, 1e-9);
  EXPECT_NEAR(curve.timeUs(300), 1000, 1e-9);
  EXPECT_NEAR(curve.timeUs(5000), 5000, 1e-9);
  EXPECT_DOUBLE_EQ(TimeCurve().timeUs(7), 7);
}

TEST(TimeCurve, MayNotFall) {
  EXPECT_FALSE(TimeCurve({{1, 10}, {2, 9}}).isSound());
  EXPECT_FALSE(TimeCurve({{1, 10}, {1, 11}}).isSound());
  EXPECT_FALSE(TimeCurve({{0, 10}}).isSound());
  EXPECT_FALSE(TimeCurve({{1, std::numeric_limits<double>::infinity()}}).isSound());
}

TEST(FitCurve, TakesMediansAndPoolsWhatFalls) {
  std::vector<MeasuredPoint> measured;
  for (const double timeUs : {4.0, 5.0, 400.0}) // one of them was disturbed
    measured.push_back({1, timeUs});
  for (const double timeUs : {2.0, 2.0, 2.0})
    measured.push_back({10, timeUs});
  for (const double timeUs : {30.0, 30.0, 29.0})
    measured.push_back({100, timeUs});
  measured.push_back({1000, 1}); // alone
  const TimeCurve curve = fitCurve(measured);
  ASSERT_EQ(curve.points().size(), 3u);
  EXPECT_TRUE(curve.isSound());
  EXPECT_NEAR(curve.timeUs(1), std::sqrt(5.0 * 2.0), 1e-9);
  EXPECT_NEAR(curve.timeUs(10), std::sqrt(5.0 * 2.0), 1e-9);
  EXPECT_NEAR(curve.timeUs(100), 30, 1e-9);
  EXPECT_TRUE(fitCurve({}).points().empty());
}

TEST(FitCurve, GivesHeavyPointsTheSay) {
  const std::vector<MeasuredPoint> measured{{1, 1, 0.1}, {1, 1, 0.1}, {1, 1, 0.1}, {1, 7, 2}};
  EXPECT_NEAR(fitCurve(measured).timeUs(1), 7, 1e-9);
}

/// A speed for which slices side by side do not pay.
LevelSpeed speedOfLargeSlices() {
  LevelSpeed speed;
  speed.multiprocessors = 1;
  speed.residentBlocks = 1;
  speed.stepUs = 1e6;
  return speed;
}

/// The slice launches of the loops: one enters the first slice. For each slice, one adds it up,
/// with consecutive sums, and enters the next.
TEST(PredictGpu, CountsTheLaunchesOfSlices) {
  const GpuWork work = gpuWork(loopedBundle(), speedOfLargeSlices());
  GpuSpeed speed;
  const std::vector<double> before = predictGpu(work, speed);
  speed.sliceLaunchUs += 1;
  const std::vector<double> after = predictGpu(work, speed);
  const std::vector<double> runs = {0, 1, 3, 12, 0, 3, 0, 1, 5};
  for (size_t i = 0; i < runs.size(); ++i)
    EXPECT_NEAR(after[i] - before[i], runs[i], 1e-9) << i;
}

TEST(PredictGpu, TakesNoSlicesSideBySideBesideACpu) {
  std::vector<char> runs(9, 1);
  EXPECT_EQ(gpuWork(loopedBundle(), LevelSpeed(), runs).slicesAtOnce, 12u);
  runs[0] = 0;
  EXPECT_EQ(gpuWork(loopedBundle(), LevelSpeed(), runs).slicesAtOnce, 1u);
}

/// One pass of each loop: its launches have the operations of all slices.
TEST(PredictGpu, TakesSlicesSideBySide) {
  const GpuWork work = gpuWork(loopedBundle(), LevelSpeed());
  for (size_t i = 0; i < 9; ++i)
    EXPECT_EQ(work.operations[i].runs, 1) << i;
  size_t inLaunches = 0;
  for (const LaunchWork &launch : work.launches)
    inLaunches += launch.operations.size();
  EXPECT_EQ(inLaunches, 1 + 3 + 12 + 3 + 5u) << "of operations 0, 1, 2, 4 and 7";
  const GpuSpeed quick;
  double quickUs = 0;
  for (const double operationUs : predictGpu(work, quick))
    quickUs += operationUs;
  double oneByOneUs = 0;
  for (const double operationUs : predictGpu(gpuWork(loopedBundle(), speedOfLargeSlices()), quick))
    oneByOneUs += operationUs;
  EXPECT_LT(quickUs, oneByOneUs / 4);
}

TEST(MachineSpeed, IsTheSameAfterText) {
  MachineSpeed speed = shippedSpeed();
  for (const TimeCurve *curve :
       {&speed.cpu.entries, &speed.cpu.rows, &speed.cpu.tiles, &speed.cpu.compiled})
    EXPECT_TRUE(curve->isSound());
  EXPECT_EQ(speedFromJson(speedJson(speed)), speed);
  speed.cpu.logs = TimeCurve({{0.1, 1.0 / 3}, {1, 2.0 / 3}});
  speed.gpu.multiprocessors = 78;
  speed.gpu.launchUs = 1e-3 / 7;
  EXPECT_EQ(speedFromJson(speedJson(speed)), speed);
}

/// Every rate of the engines is stored: a text with another number is another speed.
TEST(MachineSpeed, HoldsTheRatesOfEngines) {
  const MachineSpeed shipped = shippedSpeed();
  const std::string text = speedJson(shipped);
  size_t rates = 0;
  for (const std::string begin : {"\n  \"lane_", "\n  \"planning_", "\n  \"case_run_"})
    for (size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
      std::string other = text;
      other.insert(other.find(": ", at) + 2, "7");
      const MachineSpeed read = speedFromJson(other);
      EXPECT_NE(read.engines, shipped.engines) << text.substr(at, 40);
      EXPECT_EQ(speedFromJson(speedJson(read)), read);
      ++rates;
    }
  EXPECT_EQ(sizeof(EngineRates), rates * sizeof(double));
}

std::string refusal(std::string text, const std::string &from, const std::string &to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  try {
    speedFromJson(text);
  } catch (const Error &error) {
    return error.what();
  }
  return "accepted";
}

TEST(MachineSpeed, RefusesOtherTexts) {
  const std::string text = speedJson(shippedSpeed());
  EXPECT_EQ(refusal(text, "{", "["), "speed of a machine: this is not JSON");
  EXPECT_EQ(refusal(text, "\"rows\"", "\"row\""), "speed of a machine: 'rows' is missing");
  EXPECT_EQ(refusal(text, "\"rows\": [", "\"rows\": [5, "),
            "speed of a machine: 'rows' is not a curve");
  EXPECT_EQ(refusal(text, "\"rows\": [", "\"rows\": [1e9, 1, "),
            "speed of a machine: 'rows' is not a curve");
  EXPECT_EQ(refusal(text, "\"gpu_launch_us\": ", "\"gpu_launch_us\": -"),
            "speed of a machine: 'gpu_launch_us' is not a number from 0 on");
  EXPECT_EQ(refusal(text, "\"gpu_lines_per_us\": ", "\"gpu_lines_per_us\": 0, \"other\": "),
            "speed of a machine: a rate of the GPU is 0");
  EXPECT_EQ(refusal(text, "\"lane_cpu_f64_per_us\": ", "\"lane_cpu_f64_per_us\": 0, \"other\": "),
            "speed of a machine: a rate of lanes is 0");
  EXPECT_EQ(refusal(text, "planning_factor_us", "planning_factors_us"),
            "speed of a machine: 'planning_factor_us' is missing");
}

/// A product of two tables over 1024 states each, summed to one of them, and a small sum of that.
Bundle twoOperations() {
  constexpr Semiring kSumProduct{Reduce::Sum, Combine::Times};
  oracle::BundleBuilder builder;
  const VarId x = builder.variable(1024), y = builder.variable(1024);
  const BufferId f = builder.input({x, y}, std::vector<double>(1 << 20, 0.5));
  const BufferId g = builder.input({y}, std::vector<double>(1024, 0.5));
  const BufferId message = builder.operation(kSumProduct, {f, g}, {x});
  builder.output(builder.operation(kSumProduct, {message}, {}));
  return builder.finish();
}

TEST(PredictCpu, FirstRunsTouchEveryPage) {
  Bundle bundle;
  bundle.inputArenaBytes = 5000;
  bundle.workArenaBytes = uint64_t{64} << 20;
  CpuSpeed speed = shippedSpeed().cpu;
  speed.memory = {.largeTouchUs = 300, .smallTouchUs = 0.5};
  EXPECT_DOUBLE_EQ(firstTouchUs(bundle, speed, 1), 2 * 0.5 + 32 * 300);
  const double shared = firstTouchUs(bundle, speed, 4);
  EXPECT_LT(shared, 32 * 300 / 2.0);
  EXPECT_GT(shared, 32 * 300 / 4.0);
  bundle.workArenaBytes = kHugePagesFrom - 1; // small pages, too short for threads
  EXPECT_DOUBLE_EQ(firstTouchUs(bundle, speed, 1), (2 + 2048) * 0.5);
  EXPECT_EQ(firstTouchUs(Bundle(), speed, 4), 0);
}

TEST(PredictCpu, ThreadsShareARun) {
  const Bundle bundle = twoOperations();
  CpuSpeed speed = shippedSpeed().cpu;
  speed.threads.wakeUs = 10;
  speed.threads.sharingUs = 1;
  const std::vector<CpuPrediction> one = predictCpu(bundle, speed, 1, 0);
  const std::vector<CpuPrediction> eight = predictCpu(bundle, speed, 8, 0);
  ASSERT_EQ(one.size(), 2u);
  EXPECT_GT(one[0].timeUs, one[1].timeUs);
  EXPECT_LT(eight[0].timeUs, one[0].timeUs / 2);
  EXPECT_GT(eight[0].timeUs, one[0].timeUs / 8);
  EXPECT_GT(eight[0].timeUs, eight[1].timeUs);
}

TEST(PredictGpu, GivesEachOperationItsShareOfTheLaunches) {
  const Bundle bundle = twoOperations();
  const GpuSpeed speed;
  const std::vector<double> times = predictGpu(bundle, speed);
  ASSERT_EQ(times.size(), 2u);
  EXPECT_GT(times[0], speed.launchUs);
  EXPECT_GE(times[1], 0);
  GpuSpeed slower = speed;
  slower.termFactor *= 4;
  slower.linesPerUs /= 4;
  slower.bytesPerUs /= 4;
  EXPECT_GT(predictGpu(bundle, slower)[0], 2 * times[0] - 2 * speed.launchUs - 2 * speed.stepUs);
}

/// Returns the sum over launches of the steps of the block with the most steps.
uint32_t stepsOf(const GpuWork &work) {
  uint32_t steps = 0;
  for (const LaunchWork &launch : work.launches) {
    uint32_t most = 0;
    for (const PhaseWork &phase : launch.phases)
      for (const BlockWork &block : phase.blocks)
        most = std::max(most, block.steps);
    steps += most;
  }
  return steps;
}

/// The executor gives results separate memory, so operations that only shared memory keeps in order
/// run side by side.
TEST(PredictGpu, CountsTheLevelsThatTheExecutorRuns) {
  constexpr Semiring kSumProduct{Reduce::Sum, Combine::Times};
  constexpr uint32_t kBranches = 20;
  oracle::BundleBuilder builder;
  std::vector<BufferId> results, messages;
  for (uint32_t i = 0; i < kBranches; ++i) {
    const VarId x = builder.variable(4), y = builder.variable(4);
    const BufferId f = builder.input({x, y}, std::vector<double>(16, 0.5));
    messages.push_back(builder.operation(kSumProduct, {f}, {x}));
    results.push_back(builder.operation(kSumProduct, {messages.back()}, {}));
  }
  builder.output(builder.operation(kSumProduct, results, {}));
  Bundle bundle = builder.finish();
  for (const BufferId message : messages) // one message after the other in the same memory
    bundle.buffers[message.index()].offsetBytes = bundle.buffers[messages[0].index()].offsetBytes;
  EXPECT_LE(stepsOf(gpuWork(bundle, LevelSpeed())), 12u);
}

/// Forty messages, and results that need neighbouring ones: two levels that one block cannot
/// compute alone.
TEST(PredictGpu, CountsAWaitInPlaceOfALaunchWhereThatPays) {
  constexpr Semiring kSumProduct{Reduce::Sum, Combine::Times};
  oracle::BundleBuilder builder;
  std::vector<BufferId> messages;
  const VarId y = builder.variable(4);
  for (uint32_t i = 0; i < 40; ++i) {
    const BufferId f = builder.input({builder.variable(4), y}, std::vector<double>(16, 0.5));
    messages.push_back(builder.operation(kSumProduct, {f}, {y}));
  }
  for (uint32_t i = 0; i < 40; i += 5) {
    std::vector<BufferId> read = {messages[(i + 5) % 40]};
    read.insert(read.end(), messages.begin() + i, messages.begin() + i + 5);
    builder.output(builder.operation(kSumProduct, read, {}));
  }
  const Bundle bundle = builder.finish();
  GpuSpeed speed;
  const auto timeUs = [&] {
    double sumUs = 0;
    for (const double operationUs : predictGpu(bundle, speed))
      sumUs += operationUs;
    return sumUs;
  };
  speed.launchUs = 1.5;
  speed.waitUs = 1.5;
  const double apartUs = timeUs();
  EXPECT_EQ(gpuWork(bundle, speed).launches.size(), 2u);
  speed.waitUs = 0.5;
  EXPECT_EQ(gpuWork(bundle, speed).launches.size(), 1u);
  EXPECT_NEAR(timeUs(), apartUs - 1, 1e-9);
  EXPECT_EQ(gpuWork(bundle, speed, {}, JoinLevels::Off).launches.size(), 2u);
}

TEST(PlacedPredictor, OneDeviceAloneTakesWhatItTakes) {
  const Bundle bundle = twoOperations();
  const MachineSpeed speed = shippedSpeed();
  const PlacedPredictor predictor(bundle, machineOf(speed), 8, 0);
  const std::vector<uint32_t> supersteps(2, 0);
  const OperationTimes cpu = predictor.placed({DeviceId::cpu(), DeviceId::cpu()}, supersteps);
  const OperationTimes gpu = predictor.placed({DeviceId::gpu(0), DeviceId::gpu(0)}, supersteps);
  const std::vector<CpuPrediction> predicted = predictCpu(bundle, speed.cpu, 8, 0);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_DOUBLE_EQ(cpu.us[0][i], predicted[i].timeUs);
    EXPECT_EQ(cpu.us[1][i], 0);
  }
  EXPECT_EQ(gpu.us[1], predictGpu(bundle, speed.gpu));
}

/// A short operation that is alone on the CPU takes the time of one thread.
TEST(PlacedPredictor, AShortOperationIsAloneWhereTheLongOneIsElsewhere) {
  const Bundle bundle = twoOperations();
  const MachineSpeed speed = shippedSpeed();
  const PlacedPredictor predictor(bundle, machineOf(speed), 8, 0);
  const OperationTimes mixed = predictor.placed({DeviceId::gpu(0), DeviceId::cpu()}, {0, 1});
  EXPECT_DOUBLE_EQ(mixed.us[0][1], predictCpu(bundle, speed.cpu, 1, 0)[1].timeUs);
  EXPECT_LT(predictCpu(bundle, speed.cpu, 8, 0)[1].timeUs, mixed.us[0][1]);
  EXPECT_GT(mixed.us[1][0], 0);
  EXPECT_EQ(mixed.us[1][1], 0);
}

/// Each GPU has the times of its own speed, and of its operations alone. A missing one has none.
TEST(PlacedPredictor, KnowsEachGpuOfAMachine) {
  const Bundle bundle = twoOperations();
  Machine machine = machineOf(shippedSpeed(), 3);
  std::get<GpuSpeed>(machine.devices[2].speed).launchUs *= 5;
  machine.devices[3].state = DeviceState::Absent;
  const PlacedPredictor predictor(bundle, machine, 8, 0);
  const OperationTimes alone = predictor.alone();
  ASSERT_EQ(alone.us.size(), 3u);
  EXPECT_EQ(alone.us[1], predictGpu(bundle, machine.gpu()));
  EXPECT_GT(alone.us[2][0], alone.us[1][0]);
  const OperationTimes apart = predictor.placed({DeviceId::gpu(0), DeviceId::gpu(1)}, {0, 0});
  EXPECT_GT(apart.us[1][0], 0);
  EXPECT_EQ(apart.us[1][1], 0);
  EXPECT_EQ(apart.us[2][0], 0);
  EXPECT_GT(apart.us[2][1], 0);
}

} // namespace
} // namespace mpf
