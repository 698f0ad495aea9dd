// Tests whole programs in which every possible sum is split (split-K), on the CPU and on the GPU,
// where all operations have specialised kernels. They give the answers of whole sums, with the same
// bits on every run.
#include "codegen/pipeline/pipeline.h"
#include "tests/oracle/gpu/run_on_gpu.h"
#include "tests/oracle/models/cut_everywhere.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/sliced_programs.h"
#include "tests/oracle/run_on_cpu.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace mpf::oracle {
namespace {

/// One query, compiled with whole sums and with split ones.
struct SplitCase {
  Bundle whole, cut;
};

SplitCase randomCase(std::mt19937_64 &random, int number, ElementType type, bool sliced) {
  PipelineOptions options;
  options.plan.type = type;
  options.forcedLog = number % 4 == 3;
  const SpecialiseOptions everything{targetNamed("sm_90"), std::numeric_limits<double>::infinity()};
  options.gpu = everything;
  RandomModelOptions shape;
  shape.maxVariables = 6;
  shape.maxExtent = 6;
  const Model model = randomModel(random, shape);
  constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Joint, QueryKind::Mpe,
                                  QueryKind::Marginals};
  const Query query = randomQuery(random, model, kKinds[number % 4]);
  Diagnostics diagnostics;
  SplitCase made;
  made.whole = Pipeline(options).compile(model, query, diagnostics);
  CutEverywhere times(static_cast<uint64_t>(number));
  options.plan.deviceCosts = &times;
  made.cut =
      sliced ? Pipeline(options).compileProgram(
                   model, randomlySliced(random, model, query, 1, {}, KeptMessages::None, &times))
             : Pipeline(options).compile(model, query, diagnostics);
  return made;
}

/// Compares outputs of the same order and layout; orders of addition differ.
void expectSameOutputs(const Bundle &whole, const Executor &expected, const Bundle &cut,
                       const Executor &actual, ElementType type) {
  ASSERT_EQ(whole.outputs.size(), cut.outputs.size());
  for (size_t o = 0; o < whole.outputs.size(); ++o) {
    const TableView a = expected.table(whole.outputs[o].buffer);
    const TableView b = actual.table(cut.outputs[o].buffer);
    ASSERT_EQ(a.sizeElems, b.sizeElems);
    for (uint64_t i = 0; i < a.sizeElems; ++i) {
      const double x = a.log2Entry(i) + a.state.scale, y = b.log2Entry(i) + b.state.scale;
      if (!std::isfinite(x) && x == y)
        continue;
      EXPECT_NEAR(x, y, type == ElementType::F64 ? 1e-11 : 1e-4)
          << whole.outputs[o].name << "[" << i << "]";
    }
  }
}

class SplitSums : public testing::TestWithParam<ElementType> {};

TEST_P(SplitSums, TheCpuAnswersTheSame) {
  std::mt19937_64 random(31);
  for (int i = 0; i < 40; ++i) {
    const SplitCase one = randomCase(random, i, GetParam(), false);
    expectSameOutputs(one.whole, *runOnCpu(one.whole), one.cut, *runOnCpu(one.cut), GetParam());
  }
}

TEST_P(SplitSums, TheGpuAnswersTheSameOnEveryRun) {
  if (const std::string reason = gpuUnavailableReason(); !reason.empty())
    GTEST_SKIP() << reason;
  std::mt19937_64 random(37);
  for (int i = 0; i < 16; ++i) {
    const SplitCase one = randomCase(random, i, GetParam(), i % 4 == 0 && i > 0);
    const auto first = runOnGpu(one.cut, 8), second = runOnGpu(one.cut);
    expectSameOutputs(one.whole, *runOnCpu(one.whole), one.cut, *first, GetParam());
    for (const BundleOutput &output : one.cut.outputs) {
      const TableView a = first->table(output.buffer), b = second->table(output.buffer);
      for (uint64_t e = 0; e < a.sizeElems; ++e)
        EXPECT_EQ(a.log2Entry(e), b.log2Entry(e)) << output.name << "[" << e << "]";
      EXPECT_EQ(a.state.scale, b.state.scale);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, SplitSums, testing::Values(ElementType::F64, ElementType::F32));

} // namespace
} // namespace mpf::oracle
