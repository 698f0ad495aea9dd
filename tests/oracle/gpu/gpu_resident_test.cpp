// Tests levels in launches whose blocks wait for each other. Whole programs give the same bits with
// and without them, on every run.
#include "codegen/pipeline/pipeline.h"
#include "codegen/specialise/specialise.h"
#include "runtime/schedule/launches/build_launch_plan.h"
#include "runtime/schedule/launches/launch_use.h"
#include "runtime/schedule/lay_apart.h"
#include "tests/oracle/gpu/run_on_gpu.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/sliced_programs.h"
#include "tests/oracle/random_bucket.h"
#include "tests/oracle/run_on_cpu.h"

#include <gtest/gtest.h>
#include <limits>

namespace mpf::oracle {
namespace {

Bundle levelsOf(const BucketCase &c, double limit) {
  Bundle bundle = randomLevels(c, limit);
  addTableDrivenKernels(bundle);
  return bundle;
}

GpuOptions joining(JoinLevels which) {
  GpuOptions options;
  options.joins.which = which;
  return options;
}

void expectSameOutputs(const Bundle &bundle, const Executor &a, const Executor &b) {
  for (const BundleOutput &output : bundle.outputs) {
    const TableView x = a.table(output.buffer), y = b.table(output.buffer);
    ASSERT_EQ(x.sizeElems, y.sizeElems);
    EXPECT_EQ(x.state, y.state) << output.name;
    for (uint64_t i = 0; i < x.sizeElems; ++i) {
      EXPECT_EQ(x.log2Entry(i), y.log2Entry(i)) << output.name << "[" << i << "]";
      EXPECT_EQ(x.sign(i), y.sign(i)) << output.name << "[" << i << "]";
    }
  }
}

class OnGpu : public testing::Test {
protected:
  void SetUp() override {
    if (const std::string reason = gpuUnavailableReason(); !reason.empty())
      GTEST_SKIP() << reason;
  }
};

class GpuResidentLevels : public OnGpu, public testing::WithParamInterface<BucketSeries> {};

TEST_P(GpuResidentLevels, HaveTheBitsOfLevelsApart) {
  BucketCase c = GetParam().base;
  for (c.seed = 1; c.seed <= 8 && !HasFailure(); ++c.seed) {
    const Bundle bundle = levelsOf(c, 60000);
    const auto apart = runOnGpu(bundle, 0, false, joining(JoinLevels::Off));
    const auto joined =
        runOnGpu(bundle, 0, false, joining(JoinLevels::On), 1 + static_cast<unsigned>(c.seed % 3));
    EXPECT_TRUE(sameBits(bundle, *apart, *joined)) << "seed " << c.seed;
    EXPECT_EQ(compareWithBruteForce(bundle, *joined, 10 * bucketTolerance(c)), "")
        << "seed " << c.seed;
  }
}

/// Phases of more blocks than are resident.
TEST_P(GpuResidentLevels, HaveTheBitsOfLargeLevelsApart) {
  BucketCase c = GetParam().base;
  for (c.seed = 101; c.seed <= 102 && !HasFailure(); ++c.seed) {
    const Bundle bundle = levelsOf(c, 6e6);
    const auto apart = runOnGpu(bundle, 0, false, joining(JoinLevels::Off));
    const auto joined = runOnGpu(bundle, 0, false, joining(JoinLevels::On), 2);
    EXPECT_TRUE(sameBits(bundle, *apart, *joined)) << "seed " << c.seed;
  }
}

INSTANTIATE_TEST_SUITE_P(All, GpuResidentLevels, testing::ValuesIn(bucketSeries()),
                         [](const auto &instance) { return std::string(instance.param.name); });

class GpuResidentPrograms : public OnGpu {};

/// A lost or surplus signal would show sooner or later: as a run that does not end, or as other
/// bits.
TEST_F(GpuResidentPrograms, ManyRunsHaveTheSameBits) {
  BucketCase c;
  c.seed = 7;
  const Bundle bundle = levelsOf(c, 60000);
  const auto apart = runOnGpu(bundle, 0, false, joining(JoinLevels::Off));
  const auto joined = runOnGpu(bundle, 0, false, joining(JoinLevels::On), 20000);
  EXPECT_TRUE(sameBits(bundle, *apart, *joined));
}

/// Every second model has kernels for all operations, whose launches end those of levels.
TEST_F(GpuResidentPrograms, RandomModelsHaveTheSameBits) {
  std::mt19937_64 random(41);
  for (int i = 0; i < 40; ++i) {
    RandomModelOptions shape;
    shape.maxVariables = 14;
    shape.maxExtent = 5;
    const Model model = randomModel(random, shape);
    constexpr QueryKind kKinds[] = {QueryKind::Marginals, QueryKind::Evidence, QueryKind::Mpe,
                                    QueryKind::Joint};
    const Query query = randomQuery(random, model, kKinds[i % 4]);
    PipelineOptions options;
    options.plan.type = i % 3 == 2 ? ElementType::F32 : ElementType::F64;
    options.forcedLog = i % 5 == 4;
    options.gpu = SpecialiseOptions{targetNamed("sm_90"),
                                    i % 2 == 0 ? 0 : std::numeric_limits<double>::infinity()};
    const bool isSliced = i % 8 >= 6;
    Diagnostics diagnostics;
    const Bundle bundle =
        isSliced ? Pipeline(options).compileProgram(model, randomlySliced(random, model, query, 1))
                 : Pipeline(options).compile(model, query, diagnostics);
    const auto apart = runOnGpu(bundle, 0, false, joining(JoinLevels::Off));
    const auto joined = runOnGpu(bundle, 0, false, joining(JoinLevels::On), 3);
    expectSameOutputs(bundle, *apart, *joined);
  }
}

/// Returns a model whose tables hold entries far apart. Linear arithmetic is not exact, and
/// operations that kernels refuse fall back to the level kernel. Every second operation has a
/// specialised kernel.
Bundle inexactProgram(std::mt19937_64 &random) {
  RandomModelOptions shape;
  shape.maxVariables = 12;
  shape.maxFactors = 24;
  shape.maxExtent = 12;
  const Model model = randomModel(random, shape);
  PipelineOptions options;
  options.gpu = SpecialiseOptions{targetNamed("sm_90"), std::numeric_limits<double>::infinity()};
  Diagnostics diagnostics;
  Bundle bundle = Pipeline(options).compile(model, randomQuery(random, model, QueryKind::Marginals),
                                            diagnostics);
  for (auto &table : bundle.tables) {
    std::vector<double> values = *table;
    for (double &value : values)
      value *= random() % 2 == 0 ? 1e-250 : 1;
    table = std::make_shared<const std::vector<double>>(std::move(values));
  }
  bundle.chains.clear();
  for (size_t i = 0; i < bundle.operations.size(); i += 2)
    bundle.operations[i].kernel.reset();
  return bundle;
}

/// Counts launches with a fallback and a level after it.
size_t mixedLaunches(const Bundle &bundle) {
  LaunchOptions options;
  options.inputStates = rangesOfInputs(bundle);
  options.multiprocessors = 132;
  options.joins = joining(JoinLevels::On).joins;
  options.joins.residentBlocks = 264;
  const LaunchPlan plan = buildLaunchPlan(bundle, options);
  size_t mixed = 0;
  for (const Launch &launch : plan.launches)
    if (launch.kind == LaunchKind::Level)
      for (const uint32_t i : operationsOf(plan, launch))
        mixed += bundle.operations[i].kernel.has_value();
  return mixed;
}

TEST(GpuResidentFallbacks, AreRightAsPhases) {
  std::mt19937_64 random(43);
  size_t mixed = 0;
  for (int i = 0; i < 16; ++i) {
    const Bundle bundle = inexactProgram(random);
    mixed += mixedLaunches(layApart(bundle));
    if (!gpuUnavailableReason().empty())
      continue;
    const auto apart = runOnGpu(bundle, 0, false, joining(JoinLevels::Off), 3);
    const auto joined = runOnGpu(bundle, 0, false, joining(JoinLevels::On), 3);
    expectSameOutputs(bundle, *apart, *joined);
  }
  EXPECT_GT(mixed, 5u);
  if (const std::string reason = gpuUnavailableReason(); !reason.empty())
    GTEST_SKIP() << reason;
}

/// Each launch is measured separately, and operations of a launch share its time.
TEST_F(GpuResidentPrograms, AreMeasured) {
  BucketCase c;
  c.seed = 9;
  const Bundle bundle = levelsOf(c, 60000);
  const auto joined = runOnGpu(bundle, 0, true, joining(JoinLevels::On));
  ASSERT_EQ(joined->profile().size(), bundle.operations.size());
  for (const OperationProfile &operation : joined->profile())
    EXPECT_GT(operation.timeUs, 0);
}

} // namespace
} // namespace mpf::oracle
