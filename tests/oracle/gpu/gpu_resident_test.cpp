// Levels in launches whose blocks wait for each other: whole programs with them give the bits that
// they give without, on every run.
#include "codegen/pipeline/pipeline.h"
#include "codegen/specialise/specialise.h"
#include "tests/oracle/gpu/run_on_gpu.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/sliced_programs.h"
#include "tests/oracle/random_bucket.h"
#include "tests/oracle/run_on_cpu.h"

#include <gtest/gtest.h>

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

/// A lost signal, or one too many, would show sooner or later: as a run that does not end, or as
/// other bits.
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
    options.gpu = [i](const Bundle &) {
      return std::optional(SpecialiseOptions{targetNamed("sm_90"), i % 2 == 0 ? 0 : 1e9});
    };
    const bool isSliced = i % 8 >= 6;
    Diagnostics diagnostics;
    const Bundle bundle =
        isSliced ? Pipeline(options).compileProgram(model, randomlySliced(random, model, query, 1))
                 : Pipeline(options).compile(model, query, diagnostics);
    const auto apart = runOnGpu(bundle, 0, false, joining(JoinLevels::Off));
    const auto joined = runOnGpu(bundle, 0, false, joining(JoinLevels::On), isSliced ? 1 : 3);
    expectSameOutputs(bundle, *apart, *joined);
  }
}

/// Each launch is measured by itself, and operations of a launch share its time.
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
