// Predicted costs: the device is the one that --device auto takes, for sliced programs too.
#include "codegen/plan/build_program.h"
#include "codegen/specialise/build_bundle.h"
#include "codegen/specialise/kernel_choice.h"
#include "codegen/specialise/specialise.h"
#include "runtime/choose/answer/choose_answer.h"
#include "runtime/execute/compiled/choose_compiled.h"
#include "runtime/schedule/slices/run_launches.h"
#include "tests/unit/codegen/plan/small_models.h"
#include "tools/mpfc/explain/explain_query.h"
#include "tools/mpfc/explain/facts/facts.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace mpf {
namespace {

Model gridOf(uint32_t side) {
  std::vector<std::vector<uint32_t>> scopes;
  for (uint32_t at = 0; at < side * side; ++at) {
    if ((at + 1) % side != 0)
      scopes.push_back({at, at + 1});
    if (at + side < side * side)
      scopes.push_back({at, at + side});
  }
  return test::binaryModel(size_t{side} * side, scopes);
}

/// Returns the explanation, after comparing its device with the choice of a run.
QueryExplanation explained(const Model &model, const ExplainOptions &options) {
  const QueryExplanation explanation = explainQuery(model, model.queries[0], options);
  Diagnostics diagnostics;
  const TableProgram program =
      buildProgram(model, model.queries[0], options.pipeline.plan, diagnostics);
  const PlacementConditions conditions{options.cost.threads, options.cost.expectedCpuRuns,
                                       machineOf(options.cost.speed)};
  AnswerConditions asked;
  asked.costs = [&conditions] { return conditions; };
  const bool gpu = chooseAnswer(buildBundle(model, program, {}), asked).plan.usesGpu();
  EXPECT_EQ(explanation.autoDevice != "cpu", gpu);
  return explanation;
}

/// The operations that explain names are those that a session compiles.
TEST(CostFacts, CompiledOperationsAreThoseOfASession) {
  const Model model = gridOf(12);
  for (const double runs : {1.0, 1e7, std::numeric_limits<double>::infinity()}) {
    ExplainOptions options;
    options.pipeline.plan.order = OrderMethod::Sweep;
    options.cost.kernel.target = targetNamed("sm_90");
    options.cost.expectedCpuRuns = runs;
    QueryExplanation explanation = explained(model, options);
    Diagnostics diagnostics;
    const Bundle bundle = buildBundle(
        model, buildProgram(model, model.queries[0], options.pipeline.plan, diagnostics), {});
    std::set<std::string> wanted, named;
    for (const CompiledChoice &choice : chooseCompiled(bundle, runs)) {
      EXPECT_GE(choice.gainUs, choice.compileUs) << choice.name;
      EXPECT_EQ(choice.compileUs, cppCompileUs(choice.source.size())) << choice.name;
      for (const size_t operation : choice.operations)
        wanted.insert(bundle.operations[operation].name);
    }
    for (const BucketFacts &bucket : explanation.buckets)
      if (bucket.cpuCompiled)
        named.insert(bucket.name);
    EXPECT_EQ(named, wanted) << runs << " runs";
    EXPECT_EQ(named.empty(), runs == 1) << runs << " runs";
    const auto phase = std::find_if(
        explanation.phases.begin(), explanation.phases.end(),
        [](const PhaseTime &time) { return time.device == "cpu" && time.phase == "compiling"; });
    ASSERT_NE(phase, explanation.phases.end());
    EXPECT_EQ(phase->timeUs > 0, runs > 1);
    // The phase of running reports the same about compilers.
    const std::string why = runningPhase(explanation, "cpu")->why;
    EXPECT_EQ(why.find("no compiler needed") != std::string::npos, runs == 1) << why;
    EXPECT_EQ(why.find(fmt::format(", {} of them on compiled kernels", wanted.size())) !=
                  std::string::npos,
              runs > 1)
        << why;
  }
}

TEST(CostFacts, DeviceIsTheOneThatARunTakes) {
  // Both cases are far from the break-even point, which depends on the machine that runs this test.
  struct Expected {
    uint32_t side;
    double openUs;
    const char *device;
  };
  for (const auto &[side, openUs, device] : {Expected{10, 1e9, "cpu"}, Expected{20, 0, "sm_90"}}) {
    const Model model = gridOf(side);
    ExplainOptions options;
    options.cost.speed.gpu.openUs = openUs;
    options.pipeline.plan.order = OrderMethod::Sweep;
    options.cost.kernel.target = targetNamed("sm_90");
    const MemoryFacts whole = explained(model, options).memory;
    options.pipeline.plan.maxMemoryBytes =
        whole.inputBytes + (whole.peakBytes - whole.inputBytes) / 2;
    const QueryExplanation sliced = explained(model, options);
    ASSERT_FALSE(sliced.sliced.empty()) << side;
    EXPECT_EQ(sliced.autoDevice, device) << side;
  }
}

/// More threads make the CPU faster, and opening the GPU pays no longer.
TEST(CostFacts, TheDeviceDependsOnTheThreadsOfTheMachine) {
  const Model model = gridOf(20);
  ExplainOptions options;
  options.pipeline.plan.order = OrderMethod::Sweep;
  options.cost.kernel.target = targetNamed("sm_90");
  options.cost.speed.gpu.openUs = 0;
  const auto timeOf = [&](unsigned threads, const std::string &method) {
    options.cost.threads = threads;
    const QueryExplanation explanation = explained(model, options);
    const auto at = std::ranges::find(explanation.placements, method, &PlacementFacts::method);
    return at == explanation.placements.end() ? 0 : at->timeUs;
  };
  const double gpuUs = timeOf(2, "gpu"), fewUs = timeOf(2, "cpu"), manyUs = timeOf(16, "cpu");
  ASSERT_LT(gpuUs, manyUs) << "once it is open";
  ASSERT_LT(manyUs, 0.9 * fewUs);
  options.cost.speed.gpu.openUs = (fewUs + manyUs) / 2 - gpuUs;
  for (const unsigned threads : {2U, 16U}) {
    options.cost.threads = threads;
    EXPECT_EQ(explained(model, options).autoDevice != "cpu", threads == 2) << threads << " threads";
  }
}

/// The number of launches in the explanation is that of the launch plan, not of operations.
TEST(CostFacts, LaunchesAreThoseOfTheLaunchPlan) {
  const Model model = gridOf(14);
  for (const double runs : {1.0, std::numeric_limits<double>::infinity()}) {
    for (const bool slices : {false, true}) {
      ExplainOptions options;
      options.pipeline.plan.order = OrderMethod::Sweep;
      options.cost.kernel.target = targetNamed("sm_90");
      options.cost.expectedRuns = options.cost.planningRuns = runs;
      const MemoryFacts whole = explained(model, options).memory;
      if (slices)
        options.pipeline.plan.maxMemoryBytes =
            whole.inputBytes + (whole.peakBytes - whole.inputBytes) / 2;
      QueryExplanation explanation = explained(model, options);
      ASSERT_EQ(explanation.sliced.empty(), !slices);

      Diagnostics diagnostics;
      const TableProgram program =
          buildProgram(model, model.queries[0], options.pipeline.plan, diagnostics);
      Bundle bundle = buildBundle(model, program, {});
      addGpuKernels(bundle, program, {options.cost.kernel.target, runs});
      const RunLaunches run = runLaunches(bundle, {options.cost.speed.gpu});
      const LaunchPlan plan = run.plan();
      const bool allLevels = std::ranges::all_of(
          plan.launches, [](const Launch &each) { return each.kind == LaunchKind::Level; });
      EXPECT_EQ(allLevels, runs == 1);
      if (allLevels) {
        EXPECT_LT(plan.launches.size(), explanation.buckets.size());
      }
      const std::string &why = runningPhase(explanation, "sm_90")->why;
      EXPECT_TRUE(why.starts_with(formatCount(run.countIn(plan)) + " launch")) << why;
      EXPECT_NE(why.find(fmt::format(" of {} operations",
                                     explanation.buckets.size() - explanation.sharedBuckets())),
                std::string::npos)
          << why;
    }
  }
}

/// The time on a separate kernel is one number. An operation with such a kernel takes that time. An
/// operation without one, alone in its level, takes no longer than that.
TEST(CostFacts, OperationsTakeWhatTheirChosenKernelIsSaidToTake) {
  bool some = false, others = false;
  for (uint32_t extent = 16; extent <= 1024; extent *= 2)
    for (const double runs : {1e5, 1e7, std::numeric_limits<double>::infinity()}) {
      const Model model = test::modelOf({extent, extent}, {{0, 1}}, false);
      ExplainOptions options;
      options.cost.kernel.target = targetNamed("sm_90");
      options.cost.expectedRuns = options.cost.planningRuns = runs;
      const QueryExplanation explanation = explained(model, options);
      for (const DearBucket &dear : explanation.costliest) {
        const BucketFacts &bucket = explanation.buckets[dear.bucket];
        const double gainUs = kKernelGainUs / runs;
        (bucket.specialisedKernel ? some : others) = true;
        if (bucket.specialisedKernel)
          EXPECT_DOUBLE_EQ(bucket.gpuUs, dear.ownUs) << extent;
        else
          EXPECT_LE(bucket.gpuUs, (1 + 1e-9) * (dear.ownUs + gainUs)) << extent << " " << runs;
      }
    }
  EXPECT_TRUE(some && others);
}

TEST(CostFacts, AutoTakesTheGpuForWhatTheHostCannotHold) {
  const Model model = gridOf(6);
  ExplainOptions options;
  options.cost.kernel.target = targetNamed("sm_90");
  size_t asked = 0;
  options.pipeline.plan.largerBound = [&asked] {
    ++asked;
    return std::optional(MemoryBound{uint64_t{1} << 30, "a GPU"});
  };
  QueryExplanation explanation = explainQuery(model, model.queries[0], options);
  EXPECT_EQ(explanation.autoDevice, "cpu");
  EXPECT_EQ(asked, 0u);
  options.boundBytes = options.pipeline.plan.maxMemoryBytes = options.cost.hostBytes =
      explanation.memory.peakBytes - 1;
  explanation = explainQuery(model, model.queries[0], options);
  EXPECT_EQ(explanation.autoDevice, "sm_90");
  EXPECT_EQ(asked, 1u);
  EXPECT_EQ(explanation.memory.boundBytes, uint64_t{1} << 30);
  EXPECT_EQ(explanation.memory.boundSource, "a GPU");
  EXPECT_TRUE(explanation.sliced.empty());
}

} // namespace
} // namespace mpf
