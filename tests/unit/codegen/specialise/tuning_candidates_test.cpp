// Tests the candidates for a choice by measuring, and which kernels are worth it.
#include "codegen/specialise/device_costs.h"
#include "codegen/specialise/kernel_choice.h"
#include "codegen/specialise/specialise_options.h"
#include "codegen/specialise/tuning_candidates.h"

#include "codegen/pipeline/pipeline.h"
#include "codegen/specialise/chain_kernels.h"
#include "codegen/specialise/flush_l2_kernel.h"
#include "dsl/model/build/build_model.h"
#include "tests/oracle/models/sweep_models.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace mpf {
namespace {

constexpr double kEver = std::numeric_limits<double>::infinity();

TEST(FindTuningCandidates, AsManyAsTheirGainCanRepay) {
  EXPECT_EQ(candidatesThatPay(100, 60, kEver, 5), 5u);
  EXPECT_EQ(candidatesThatPay(100, 60, 2.5 * kKernelCompileUs / 40, 5), 2u);
  EXPECT_EQ(candidatesThatPay(100, 60, 0.9 * kKernelCompileUs / 40, 5), 0u);
  EXPECT_EQ(candidatesThatPay(100, 100, kEver, 5), 0u) << "nothing to gain";
  EXPECT_EQ(candidatesThatPay(90, 100, kEver, 5), 0u);
}

/// Returns the bundle of a triangle, whose first operation is worth a specialised kernel.
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
  options.gpu = gpu;
  return Pipeline(options).compile(model.value(), model->queries.front(), diagnostics);
}

TEST(FindTuningCandidates, TheTunerSeesTheWholeBundleAndMayChangeItsKernels) {
  SpecialiseOptions gpu{targetNamed("sm_90"), kEver};
  const Bundle plain = compiled(gpu);
  size_t calls = 0;
  gpu.candidates = 3;
  gpu.tuner = [&](Bundle &bundle, std::span<const TuningCandidates> candidates) {
    ++calls;
    ASSERT_EQ(bundle.kernels.size(), plain.kernels.size());
    ASSERT_FALSE(candidates.empty());
    for (size_t i = 0; i < candidates.size(); ++i) {
      const uint32_t kernel = candidates[i].kernel;
      EXPECT_TRUE(i == 0 || candidates[i - 1].kernel < kernel);
      EXPECT_EQ(bundle.kernels.at(kernel).source, plain.kernels[kernel].source);
      EXPECT_LE(candidates[i].candidates.size(), 3u);
      std::set<std::string> names{bundle.kernels[kernel].name};
      for (const BundleKernel &candidate : candidates[i].candidates) {
        EXPECT_TRUE(names.insert(candidate.name).second) << candidate.name;
        EXPECT_NE(candidate.source.find(candidate.name), std::string::npos);
        EXPECT_GT(candidate.gridBlocks * candidate.blockThreads, 0u);
      }
    }
    bundle.kernels[candidates[0].kernel] = candidates[0].candidates[0];
  };
  const Bundle tuned = compiled(gpu);
  EXPECT_EQ(calls, 1u);
  size_t changed = 0;
  for (size_t i = 0; i < plain.kernels.size(); ++i)
    changed += tuned.kernels[i].name != plain.kernels[i].name;
  EXPECT_EQ(changed, 1u);
}

TEST(FindTuningCandidates, ChainsHaveCandidatesToo) {
  SpecialiseOptions gpu{targetNamed("sm_90"), kEver};
  gpu.candidates = 3;
  size_t ofChains = 0;
  gpu.tuner = [&](Bundle &bundle, std::span<const TuningCandidates> candidates) {
    ASSERT_FALSE(bundle.chains.empty());
    const auto isOfChain = [&bundle](const TuningCandidates &some) {
      return std::any_of(bundle.chains.begin(), bundle.chains.end(),
                         [&some](const BundleChain &chain) { return chain.kernel == some.kernel; });
    };
    for (const TuningCandidates &some : candidates)
      if (isOfChain(some)) {
        ofChains += some.candidates.size();
        EXPECT_TRUE(some.candidates.front().name.starts_with("chain_"));
      }
  };
  std::mt19937_64 random(4);
  oracle::SweepModelOptions shape;
  shape.rows = 14;
  const Model model = oracle::sweepModel(random, shape);
  const auto times = makeDeviceCosts(gpu, ElementType::F64, false);
  PipelineOptions options;
  options.plan.deviceCosts = times.get();
  options.gpu = gpu;
  Diagnostics diagnostics;
  Pipeline(options).compile(model, model.queries.front(), diagnostics);
  EXPECT_GT(ofChains, 0u);
}

TEST(FindTuningCandidates, FewRunsRepayNoCandidate) {
  SpecialiseOptions gpu{targetNamed("sm_90"), 100};
  gpu.candidates = 3;
  size_t calls = 0;
  gpu.tuner = [&](Bundle &, std::span<const TuningCandidates> candidates) {
    ++calls;
    EXPECT_TRUE(candidates.empty());
  };
  compiled(gpu);
  EXPECT_EQ(calls, 1u) << "what is remembered may still be taken";
}

TEST(FindTuningCandidates, TheFlushReadsMoreThanAnyL2) {
  for (const std::string &name : gpuTargetNames()) {
    const Target target = targetNamed(name);
    const KernelPlan plan = flushL2Kernel(target);
    EXPECT_GE(plan.operation().operands.front().sizeElems * sizeof(float), 2 * target.l2Bytes)
        << name;
  }
}

} // namespace
} // namespace mpf
