// What a choice by measuring chooses from, and which kernels it is worth for.
#include "codegen/specialise/find_rivals.h"

#include "codegen/pipeline.h"
#include "codegen/specialise/chain_kernels.h"
#include "codegen/specialise/sweep_kernel.h"
#include "dsl/model/build/build_model.h"
#include "tests/oracle/sweep_models.h"

#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace mpf {
namespace {

constexpr double kEver = std::numeric_limits<double>::infinity();

TEST(FindRivals, AsManyAsTheirGainCanRepay) {
  EXPECT_EQ(rivalsThatPay(100, 60, kEver, 5), 5u);
  EXPECT_EQ(rivalsThatPay(100, 60, 2.5 * kKernelCompileUs / 40, 5), 2u);
  EXPECT_EQ(rivalsThatPay(100, 60, 0.9 * kKernelCompileUs / 40, 5), 0u);
  EXPECT_EQ(rivalsThatPay(100, 100, kEver, 5), 0u) << "nothing to gain";
  EXPECT_EQ(rivalsThatPay(90, 100, kEver, 5), 0u);
}

/// Of a triangle, whose first operation is worth a kernel of its own.
Bundle compiled(const SpecialiseOptions &gpu) {
  constexpr const char *kText = R"(
    var x, y, z, k : 40
    factor f(x, y, k) = 1 + (x + y < 2 * k)
    factor g(y, z, k) = 1 + (2 * y < z + k)
    factor h(x, z) = 1 + (x < z)
    query total = sum() f * g * h
  )";
  Diagnostics diagnostics;
  const auto source = std::make_shared<const SourceBuffer>("<text>", std::string(kText));
  const std::optional<Model> model = readMpf(source, diagnostics);
  PipelineOptions options;
  options.gpu = [&gpu](const Bundle &) { return std::optional(gpu); };
  return compileQuery(model.value(), model->queries.front(), options, diagnostics);
}

TEST(FindRivals, TheTunerSeesTheWholeBundleAndMayChangeItsKernels) {
  SpecialiseOptions gpu{targetNamed("sm_90"), kEver};
  const Bundle plain = compiled(gpu);
  size_t calls = 0;
  gpu.rivals = 3;
  gpu.tuner = [&](Bundle &bundle, std::span<const KernelRivals> rivals) {
    ++calls;
    ASSERT_EQ(bundle.kernels.size(), plain.kernels.size());
    ASSERT_FALSE(rivals.empty());
    for (size_t i = 0; i < rivals.size(); ++i) {
      const uint32_t kernel = rivals[i].kernel;
      EXPECT_TRUE(i == 0 || rivals[i - 1].kernel < kernel);
      EXPECT_EQ(bundle.kernels.at(kernel).source, plain.kernels[kernel].source);
      EXPECT_LE(rivals[i].rivals.size(), 3u);
      std::set<std::string> names{bundle.kernels[kernel].name};
      for (const BundleKernel &rival : rivals[i].rivals) {
        EXPECT_TRUE(names.insert(rival.name).second) << rival.name;
        EXPECT_NE(rival.source.find(rival.name), std::string::npos);
        EXPECT_GT(rival.gridBlocks * rival.blockThreads, 0u);
      }
    }
    bundle.kernels[rivals[0].kernel] = rivals[0].rivals[0];
  };
  const Bundle tuned = compiled(gpu);
  EXPECT_EQ(calls, 1u);
  size_t changed = 0;
  for (size_t i = 0; i < plain.kernels.size(); ++i)
    changed += tuned.kernels[i].name != plain.kernels[i].name;
  EXPECT_EQ(changed, 1u);
}

TEST(FindRivals, ChainsHaveRivalsToo) {
  SpecialiseOptions gpu{targetNamed("sm_90"), kEver};
  gpu.rivals = 3;
  size_t ofChains = 0;
  gpu.tuner = [&](Bundle &bundle, std::span<const KernelRivals> rivals) {
    ASSERT_FALSE(bundle.chains.empty());
    for (const KernelRivals &some : rivals)
      if (some.kernel == bundle.chains.front().kernel) {
        ofChains += some.rivals.size();
        EXPECT_TRUE(some.rivals.front().name.starts_with("chain_"));
      }
  };
  std::mt19937_64 random(4);
  oracle::SweepModelOptions shape;
  shape.rows = 10;
  const Model model = oracle::sweepModel(random, shape);
  const auto times = makeChainTimes(gpu, ElementType::F64, false);
  PipelineOptions options;
  options.plan.chains = times.get();
  options.gpu = [&gpu](const Bundle &) { return std::optional(gpu); };
  Diagnostics diagnostics;
  compileQuery(model, model.queries.front(), options, diagnostics);
  EXPECT_GT(ofChains, 0u);
}

TEST(FindRivals, FewRunsRepayNoRival) {
  SpecialiseOptions gpu{targetNamed("sm_90"), 100};
  gpu.rivals = 3;
  size_t calls = 0;
  gpu.tuner = [&](Bundle &, std::span<const KernelRivals> rivals) {
    ++calls;
    EXPECT_TRUE(rivals.empty());
  };
  compiled(gpu);
  EXPECT_EQ(calls, 1u) << "what is remembered may still be taken";
}

TEST(FindRivals, TheSweepReadsMoreThanAnyL2) {
  for (const std::string &name : gpuTargetNames()) {
    const Target target = targetNamed(name);
    const KernelPlan plan = sweepKernel(target);
    EXPECT_GE(plan.form.operands.front().sizeElems * sizeof(float), 2 * target.l2Bytes) << name;
  }
}

} // namespace
} // namespace mpf
