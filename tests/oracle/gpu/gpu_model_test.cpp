// Tests random models, planned and compiled with a specialised kernel for every operation. The GPU
// gives the CPU's answers, and its messages pass the independent recomputation.
#include "codegen/pipeline/pipeline.h"
#include "tests/oracle/gpu/run_on_gpu.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/sliced_programs.h"
#include "tests/oracle/run_on_cpu.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace mpf::oracle {
namespace {

class GpuModels : public testing::TestWithParam<ElementType> {
protected:
  void SetUp() override {
    if (const std::string reason = gpuUnavailableReason(); !reason.empty())
      GTEST_SKIP() << reason;
  }
};

void compareOutputs(const Bundle &bundle, const Executor &cpu, const Executor &gpu,
                    double tolerance) {
  for (const BundleOutput &output : bundle.outputs) {
    const TableView a = cpu.table(output.buffer), b = gpu.table(output.buffer);
    for (uint64_t i = 0; i < a.sizeElems; ++i) {
      const double x = a.log2Entry(i) + a.state.scale, y = b.log2Entry(i) + b.state.scale;
      if (!std::isfinite(x) && x == y)
        continue;
      EXPECT_NEAR(x, y, tolerance) << output.name << "[" << i << "]";
      EXPECT_EQ(a.sign(i), b.sign(i)) << output.name << "[" << i << "]";
    }
  }
}

TEST_P(GpuModels, EveryOperationSpecialisedAgreesWithTheCpu) {
  std::mt19937_64 random(8);
  PipelineOptions options;
  options.plan.type = GetParam();
  const SpecialiseOptions everything{targetNamed("sm_90"), std::numeric_limits<double>::infinity()};
  options.gpu = everything;
  for (int i = 0; i < 12; ++i) {
    const Model model = randomModel(random, {});
    const QueryKind kind = i % 3 == 0 ? QueryKind::Expression : QueryKind::Evidence;
    const Query query = randomQuery(random, model, kind);
    options.forcedLog = i % 5 == 3;
    Diagnostics diagnostics;
    const Bundle bundle = Pipeline(options).compile(model, query, diagnostics);
    const auto cpu = runOnCpu(bundle);
    const auto gpu = runOnGpu(bundle, 8);
    compareOutputs(bundle, *cpu, *gpu, GetParam() == ElementType::F64 ? 1e-11 : 1e-4);
  }
}

TEST_P(GpuModels, SlicesAgreeWithTheCpu) {
  std::mt19937_64 random(21);
  PipelineOptions options;
  options.plan.type = GetParam();
  const SpecialiseOptions everything{targetNamed("sm_90"), std::numeric_limits<double>::infinity()};
  for (int i = 0; i < 48; ++i) {
    RandomModelOptions shape;
    shape.maxExtent = i / 4 % 2 == 0 ? 4 : 3; // slices of 4 entries may be loaded as vectors
    const Model model = randomModel(random, shape);
    constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Joint, QueryKind::Mpe,
                                    QueryKind::Marginals, QueryKind::Optimum};
    const Query query = randomQuery(random, model, kKinds[i % 5]);
    options.forcedLog = i % 4 == 3;
    if (i % 6 < 3) // the others run table-driven, small operations together
      options.gpu = everything;
    else
      options.gpu = SpecialiseOptions{targetNamed("sm_90"), 0};
    const Bundle bundle = Pipeline(options).compileProgram(
        model, randomlySliced(random, model, query, 1 + i / 4 % 3));
    const auto cpu = runOnCpu(bundle);
    const double tolerance = GetParam() == ElementType::F64 ? 1e-11 : 1e-4;
    for (const size_t verifySamples : {0, 8})
      compareOutputs(bundle, *cpu, *runOnGpu(bundle, verifySamples), tolerance);
    if (query.kind == QueryKind::Mpe) {
      EXPECT_EQ(cpu->bestSlice(), runOnGpu(bundle, 0)->bestSlice());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, GpuModels, testing::Values(ElementType::F64, ElementType::F32));

} // namespace
} // namespace mpf::oracle
