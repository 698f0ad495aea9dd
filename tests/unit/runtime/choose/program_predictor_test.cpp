// The figures of the planner's predictions, by device, threads, purpose and expected runs.
#include "runtime/choose/program_predictor.h"

#include "codegen/bundle/table_driven_time.h"
#include "codegen/plan/build_program.h"
#include "codegen/predict/device_run_costs.h"
#include "codegen/specialise/build_bundle.h"
#include "runtime/choose/answer/choose_answer.h"
#include "runtime/choose/answer/verify_answer.h"
#include "runtime/choose/this_machine.h"
#include "runtime/predict/place_program.h"
#include "runtime/predict/predict_cpu.h"
#include "runtime/predict/predict_gpu.h"
#include "tests/unit/codegen/machine/fake_machine.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <functional>
#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(RunCosts, OfTheShippedSpeedAreThoseOfThePlannersDefault) {
  const RunCosts made = cpuRunCosts(shippedSpeed().cpu, {}, 1), usual;
  EXPECT_NEAR(made.operationUs, usual.operationUs, 0.05 * usual.operationUs);
  EXPECT_NEAR(made.entryUs, usual.entryUs, 0.05 * usual.entryUs);
  EXPECT_NEAR(made.termUs, usual.termUs, 0.05 * usual.termUs);
  EXPECT_NEAR(made.crowdedTermUs, usual.crowdedTermUs, 0.05 * usual.crowdedTermUs);
  EXPECT_EQ(made.levelUs, 0);
  EXPECT_EQ(made.threads, 1);
  EXPECT_EQ(made.stepUs, usual.stepUs);
}

TEST(RunCosts, MoreThreadsShareRunsAndSearch) {
  const CpuSpeed speed = shippedSpeed().cpu;
  const RunWork large{100, 1e8, 1e8, 50};
  double before = cpuRunCosts(speed, {}, 1).runUs(large);
  for (const unsigned threads : {2U, 4U, 16U, 64U}) {
    const RunCosts costs = cpuRunCosts(speed, {}, threads);
    EXPECT_LT(costs.runUs(large), before) << threads;
    EXPECT_GT(costs.runUs(large), cpuRunCosts(speed, {}, 1).runUs(large) / threads) << threads;
    before = costs.runUs(large);
  }
  EXPECT_LT(cpuRunCosts(speed, {}, 2).stepUs, cpuRunCosts(speed, {}, 1).stepUs);
  EXPECT_EQ(cpuRunCosts(speed, {}, 64).stepUs, cpuRunCosts(speed, {}, 4).stepUs)
      << "4 search at once";
}

/// A chain of products of matrices, in linear arithmetic and in logarithms, and in every type.
TEST(RunCosts, FollowThePredictionOfTheProgramByTypeAndArithmetic) {
  std::vector<std::vector<uint32_t>> scopes;
  for (uint32_t v = 0; v < 20; ++v)
    scopes.push_back({v, v + 1, v + 2});
  const Model model = test::modelOf(std::vector<uint32_t>(22, 24), scopes, false);
  const CpuSpeed speed = shippedSpeed().cpu;
  for (const RunArithmetic values : {RunArithmetic{},
                                     {ElementType::F32},
                                     {ElementType::F64, true},
                                     {ElementType::F32, true},
                                     {ElementType::U64},
                                     {ElementType::U128}}) {
    PlanOptions plan;
    plan.type = values.type;
    plan.runCosts = cpuRunCosts(speed, values, 1);
    double expectedUs = 0;
    PlanHooks hooks;
    hooks.searched = [&](const SearchEffort &effort) { expectedUs = effort.runUs; };
    Diagnostics diagnostics;
    BundleOptions bundle;
    bundle.type = values.type;
    bundle.forcedLog = values.logs;
    const Bundle built = buildBundle(
        model, buildProgram(model, model.queries.front(), plan, diagnostics, hooks), bundle);
    double predictedUs = 0;
    for (const CpuPrediction &operation : predictCpu(built, speed, 1, 0))
      predictedUs += operation.timeUs;
    EXPECT_GT(predictedUs, 100) << "large enough for the search to go by it";
    EXPECT_LT(expectedUs, 2 * predictedUs) << elementTypeName(values.type) << values.logs;
    EXPECT_GT(expectedUs, predictedUs / 2) << elementTypeName(values.type) << values.logs;
  }
}

/// Predictions of runs on other threads do not change the costs that plans use.
TEST(RunCosts, OnOtherThreadsAreThoseOfTheRunAlone) {
  CompileSettings settings;
  settings.purpose = Purpose::OneRun;
  settings.forcedLog = true;
  setMachine(settings);
  const RunCosts plans = runCostsFor(settings, ElementType::F64);
  EXPECT_EQ(plans, pipelineOptionsFor(settings, ElementType::F64).plan.runCosts);
  EXPECT_GT(plans.termUs, 5 * runCostsFor({}, ElementType::F64).termUs);
  const RunWork large{100, 1e8, 1e8, 50};
  EXPECT_LT(runCostsOn(settings, ElementType::F64, 16).runUs(large),
            runCostsOn(settings, ElementType::F64, 1).runUs(large) / 5);
}

TEST(RunCosts, AGpuIsSlowByLevelsAndFastByEntries) {
  const MachineSpeed speed = shippedSpeed();
  const RunCosts gpu = gpuRunCosts(speed.gpu, ElementType::F64, 1),
                 cpu = cpuRunCosts(speed.cpu, {}, 1);
  const RunWork deep{100, 1e3, 1e3, 100}, large{100, 1e9, 1e9, 100};
  EXPECT_GT(gpu.runUs(deep), 10 * cpu.runUs(deep));
  EXPECT_LT(gpu.runUs(large), cpu.runUs(large) / 20);
  EXPECT_LT(gpuRunCosts(speed.gpu, ElementType::F32, 1).runUs(large), gpu.runUs(large))
      << "smaller entries";
}

TEST(RunCosts, FollowTheSettings) {
  CompileSettings settings;
  settings.purpose = Purpose::Text;
  settings.machine = thisMachine(settings);
  RunCosts anywhere = cpuRunCosts(shippedSpeed().cpu, {}, 1);
  EXPECT_EQ(anywhere.memory, shippedSpeed().cpu.memory);
  anywhere.memory = {}; // no machine is known
  EXPECT_EQ(runCostsFor(settings, ElementType::F64), anywhere) << "the same text on every machine";
  settings.threads = 3;
  EXPECT_EQ(runCostsFor(settings, ElementType::F64), anywhere);
  settings.purpose = Purpose::OneRun;
  EXPECT_GT(runCostsFor(settings, ElementType::F64).memory.largeTouchUs, 0);
  settings.threads = 1;
  const RunCosts one = runCostsFor(settings, ElementType::F64);
  settings.threads = 16;
  EXPECT_EQ(runCostsFor(settings, ElementType::F64), one)
      << "results are the same for any number of threads";
  settings.devices = DeviceRequest::gpu();
  EXPECT_GT(runCostsFor(settings, ElementType::F64).levelUs, 0);
  settings.expectedRuns = 100;
  EXPECT_EQ(runCostsFor(settings, ElementType::F64).expectedRuns, 100);
  settings.expectedRuns = 0.01;
  EXPECT_EQ(runCostsFor(settings, ElementType::F64).expectedRuns, 1)
      << "at least one run is planned for";
}

/// Returns a product of two matrices; wider columns take longer on either device.
Bundle productOf(uint32_t columns) {
  const Model model = test::modelOf({256, 256, columns}, {{0, 1}, {1, 2}}, false);
  Diagnostics diagnostics;
  return buildBundle(model, buildProgram(model, model.queries.front(), {}, diagnostics), {});
}

TEST(ProgramPredictor, IsTheSumOfWhatOperationsTakeOnTheDevice) {
  const Bundle small = productOf(64), large = productOf(4096);
  CompileSettings settings;
  settings.purpose = Purpose::Text;
  settings.devices = DeviceRequest::cpu();
  const ProgramPredictor cpu(settings);
  double sumUs = 0;
  for (const CpuPrediction &operation : predictCpu(large, shippedSpeed().cpu, 1, 0))
    sumUs += operation.timeUs;
  EXPECT_DOUBLE_EQ(cpu.runUs(large, PredictedKernels::BuiltIn), sumUs);
  EXPECT_GT(sumUs, 4 * cpu.runUs(small, PredictedKernels::BuiltIn));
  settings.devices = DeviceRequest::gpu();
  const ProgramPredictor gpu(settings);
  EXPECT_LT(gpu.runUs(large, PredictedKernels::BuiltIn), sumUs / 4);
  EXPECT_EQ(gpu.runUs(large, PredictedKernels::All), gpu.runUs(large, PredictedKernels::BuiltIn));
  settings.threads = 16;
  EXPECT_EQ(ProgramPredictor(settings).runUs(large, PredictedKernels::All),
            gpu.runUs(large, PredictedKernels::All));
}

/// The best assignment of a chain: each step waits for the one before, on either device.
TEST(ProgramPredictor, OfAnAssignmentCountsItsTraceback) {
  std::vector<std::vector<uint32_t>> scopes;
  for (uint32_t v = 0; v < 300; ++v)
    scopes.push_back({v, v + 1});
  const Model model = test::binaryModel(301, scopes);
  Diagnostics diagnostics;
  const Bundle chain = buildBundle(
      model, buildProgram(model, shortQuery(model, QueryKind::Mpe), {}, diagnostics), {});
  ASSERT_GT(chain.traceback.size(), 30U);
  const auto steps = static_cast<double>(chain.traceback.size());
  CompileSettings settings;
  settings.purpose = Purpose::Text;
  settings.devices = DeviceRequest::cpu();
  const double cpuUs = ProgramPredictor(settings).runUs(chain, PredictedKernels::BuiltIn);
  double operationsUs = 0;
  for (const CpuPrediction &operation : predictCpu(chain, shippedSpeed().cpu, 1, 0))
    operationsUs += operation.timeUs;
  EXPECT_NEAR(cpuUs - operationsUs, 0.4 * steps, 1e-6);
  const PlacementConditions conditions{1, 1, machineOf(shippedSpeed()), false};
  EXPECT_NEAR(placeProgram(chain, PlacementMethod::Cpu, conditions).timeUs, cpuUs, 1e-6);
  EXPECT_EQ(placeProgram(chain, PlacementMethod::Auto, conditions).timeUs,
            placeProgram(chain, PlacementMethod::Cpu, conditions).timeUs)
      << "as little is worth no GPU, which takes no bound in place of its time";
  settings.devices = DeviceRequest::gpu();
  const GpuSpeed gpu = shippedSpeed().gpu;
  const double gpuUs = ProgramPredictor(settings).runUs(chain, PredictedKernels::BuiltIn);
  double launchesUs = 0;
  for (const double operationUs : predictGpu(chain, gpu))
    launchesUs += operationUs;
  EXPECT_NEAR(gpuUs - launchesUs, 23 + 2.2 * steps, 0.02 * gpuUs);
  EXPECT_NEAR(
      placeProgram(chain, PlacementMethod::Gpu, {1, 1e9, machineOf(shippedSpeed()), false}).timeUs,
      gpuUs + gpu.superstepUs, 1);
}

/// The costs of the search for orders count the traceback too.
TEST(RunCosts, CountTheStepsOfATraceback) {
  const RunWork sum{100, 1e8, 1e8, 50};
  RunWork assignment = sum;
  assignment.tracedSteps = 1000;
  for (const unsigned threads : {1U, 16U}) {
    const RunCosts cpu = cpuRunCosts(shippedSpeed().cpu, {}, threads);
    EXPECT_NEAR(cpu.runUs(assignment) - cpu.runUs(sum), 400, 1e-6) << "threads do not share them";
  }
  const RunCosts gpu = gpuRunCosts(shippedSpeed().gpu, ElementType::F64, 1);
  EXPECT_NEAR(gpu.runUs(assignment) - gpu.runUs(sum), 2223, 1);
}

/// If a run takes longer than its share of opening the GPU, its time is that of its placement.
TEST(ProgramPredictor, OfEitherDeviceIsThatOfItsPlacement) {
  const Bundle large = productOf(4096);
  CompileSettings settings;
  settings.purpose = Purpose::Text;
  settings.devices = DeviceRequest::cpu();
  const double cpuUs = ProgramPredictor(settings).runUs(large, PredictedKernels::BuiltIn);
  settings.devices = {};
  settings.expectedRuns = 1e6;
  EXPECT_EQ(ProgramPredictor(settings).runUs(large, PredictedKernels::BuiltIn), cpuUs)
      << "a GPU that nobody named";
  settings.target = "sm_90";
  const double eitherUs = ProgramPredictor(settings).runUs(large, PredictedKernels::BuiltIn);
  const PlacementConditions conditions{1, 1e6, machineOf(shippedSpeed()), false};
  EXPECT_EQ(eitherUs, placeProgram(large, PlacementMethod::Auto, conditions).timeUs);
  EXPECT_LT(eitherUs, cpuUs / 2);
  settings.devices.spread = PlacementMethod::Cpu;
  EXPECT_EQ(ProgramPredictor(settings).runUs(large, PredictedKernels::BuiltIn), cpuUs);
  settings.devices.spread = PlacementMethod::Auto;
  settings.expectedRuns = 1;
  EXPECT_EQ(ProgramPredictor(settings).runUs(large, PredictedKernels::BuiltIn), cpuUs)
      << "opening takes longer";
}

/// Whether a GPU is chosen if the devices are open.
bool takesGpu(const Bundle &bundle, const PlacementConditions &costs,
              std::function<bool()> hasGpu = {}) {
  AnswerConditions conditions;
  conditions.costs = [&costs] { return costs; };
  conditions.hasGpu = std::move(hasGpu);
  const AnswerPlan plan = chooseAnswer(bundle, conditions).plan;
  EXPECT_EQ(answerPlanFault(plan, &bundle), "");
  return plan.usesGpu();
}

/// A program that surely runs on the CPU gets no placement and no predicted time, which could be
/// only a bound.
TEST(ChooseAnswer, LooksNoCloserWhereNoGpuCanPay) {
  const Bundle small = productOf(64), large = productOf(4096);
  const PlacementConditions once{1, 1, machineOf(shippedSpeed()), false},
      often{1, 1e6, machineOf(shippedSpeed()), false};
  int asked = 0;
  const auto answering = [&asked](bool answer) {
    return [&asked, answer] {
      ++asked;
      return answer;
    };
  };
  EXPECT_FALSE(placeWhereGpuMayPay(small, once, answering(true)));
  EXPECT_FALSE(placeWhereGpuMayPay(large, once, answering(true))) << "opening takes longer";
  EXPECT_EQ(asked, 0) << "to ask for a GPU takes time";
  EXPECT_FALSE(placeWhereGpuMayPay(large, often, answering(false)));
  EXPECT_EQ(asked, 1);
  const std::optional<PlacementChoice> choice = placeWhereGpuMayPay(large, often, answering(true));
  ASSERT_TRUE(choice);
  EXPECT_TRUE(choice->placement.uses(DeviceId::gpu(0)));
  EXPECT_EQ(choice->timeUs, placeProgram(large, PlacementMethod::Auto, often).timeUs);
  EXPECT_EQ(choice->timeUs, choice->timeline.totalUs());
}

/// The compilation of missing kernels is shared among all runs, like opening the GPU.
TEST(ChooseAnswer, CountsTheKernelsThatTheMachineLacks) {
  const Bundle large = productOf(4096);
  PlacementConditions conditions{1, 1e6, machineOf(shippedSpeed()), false};
  EXPECT_TRUE(takesGpu(large, conditions));
  const double cpuUs = placeProgram(large, PlacementMethod::Cpu, conditions).timeUs;
  conditions.expectedRuns = 2 * conditions.machine.first(DeviceKind::Gpu)->openUs / cpuUs + 10;
  EXPECT_TRUE(takesGpu(large, conditions)) << "opening alone pays";
  const double openUs = placementSite(large, conditions).openUs();
  conditions.kernelsUs = kTableCompileUs;
  EXPECT_FALSE(takesGpu(large, conditions));
  EXPECT_DOUBLE_EQ(placementSite(large, conditions).openUs(),
                   openUs + kTableCompileUs / conditions.expectedRuns);
  conditions.expectedRuns = 1e6;
  EXPECT_TRUE(takesGpu(large, conditions)) << "over so many runs compiling pays too";
}

TEST(ChooseAnswer, AsksForAGpuOnlyWhereOneCouldPay) {
  const Bundle large = productOf(4096);
  PlacementConditions conditions{1, 1e6, machineOf(shippedSpeed()), false};
  size_t asked = 0;
  const auto none = [&asked] { return ++asked == 0; };
  EXPECT_FALSE(takesGpu(large, conditions, none));
  EXPECT_EQ(asked, 1u);
  EXPECT_TRUE(takesGpu(large, conditions, [] { return true; }));
  conditions.expectedRuns = 1;
  EXPECT_FALSE(takesGpu(large, conditions, none));
  EXPECT_EQ(asked, 1u) << "opening takes longer than the run";
}

TEST(OtherDevice, IsTheGpuWhereTheDeviceIsLeftOpen) {
  for (const bool has : {false, true}) {
    CompileSettings settings;
    settings.purpose = Purpose::OneRun;
    EXPECT_FALSE(otherDeviceFor(settings, ElementType::F64).costs) << "no machine is known";
    Machine machine = test::machineWith({""});
    std::get<CpuSpeed>(machine.devices[0].speed) = shippedSpeed().cpu;
    machine.devices[1].openUs = 7;
    auto probe = std::make_unique<test::FakeProbe>();
    if (has)
      probe->gpus = {"sm_90"};
    const unsigned &asked = probe->asked;
    settings.machine = std::make_shared<KnownMachine>(machine, std::move(probe));
    const OtherDevice other = otherDeviceFor(settings, ElementType::F64);
    EXPECT_EQ(other.openUs, 7);
    EXPECT_EQ(asked, 0u);
    ASSERT_EQ(other.costs().has_value(), has);
    other.costs();
    EXPECT_EQ(asked, 1u) << "its answer is kept";
    CompileSettings onGpu = settings;
    onGpu.devices = DeviceRequest::gpu();
    if (has) {
      EXPECT_EQ(*other.costs(), runCostsFor(onGpu, ElementType::F64));
    }
    settings.devices.spread = PlacementMethod::Cpu;
    EXPECT_FALSE(otherDeviceFor(settings, ElementType::F64).costs);
    EXPECT_FALSE(otherDeviceFor(onGpu, ElementType::F64).costs);
  }
}

/// Operations are placed on the devices that may be there, and on no others.
TEST(PlaceProgram, UsesNoDeviceThatIsMissing) {
  const Bundle large = productOf(4096);
  PlacementConditions conditions{1, 1e6, machineOf(shippedSpeed(), 3), false};
  conditions.machine.devices[1].state = DeviceState::Absent;
  conditions.machine.devices[3].state = DeviceState::Faulty;
  for (const PlacementMethodName &method : placementMethods()) {
    const PlacementChoice choice = placeProgram(large, method.method, conditions);
    EXPECT_FALSE(choice.placement.uses(DeviceId::gpu(0))) << method.name;
    EXPECT_FALSE(choice.placement.uses(DeviceId::gpu(2))) << method.name;
    EXPECT_EQ(choice.placement.usesGpu(), choice.placement.uses(DeviceId::gpu(1)));
  }
  EXPECT_TRUE(placeProgram(large, PlacementMethod::Gpu, conditions).placement.usesGpu());
  conditions.machine.devices[2].state = DeviceState::Absent;
  const PlacementChoice choice = placeProgram(large, PlacementMethod::Auto, conditions);
  EXPECT_FALSE(choice.placement.usesGpu());
  EXPECT_TRUE(std::ranges::none_of(choice.offers, [](const PlacementOffer &offer) {
    return offer.method == PlacementMethod::Gpu;
  }));
  EXPECT_THROW(placeProgram(large, PlacementMethod::Gpu, conditions), Error);
  EXPECT_FALSE(placeWhereGpuMayPay(large, conditions));
}

} // namespace
} // namespace mpf
