// Tests whole programs with chains on the GPU against the CPU. A chain is one kernel where linear
// arithmetic is exact for all of it, and runs one by one where it is not.
#include "codegen/emit/emit_cuda.h"
#include "codegen/kernel/print_kernel.h"
#include "codegen/pipeline/pipeline.h"
#include "codegen/plan/build_program.h"
#include "codegen/specialise/bundle_kernel.h"
#include "codegen/specialise/device_costs.h"
#include "codegen/specialise/flush_l2_kernel.h"
#include "codegen/specialise/specialise_options.h"
#include "runtime/compile/nvrtc_compiler.h"
#include "runtime/execute/gpu/tuning/gpu_tuning_device.h"
#include "tests/oracle/gpu/run_on_gpu.h"
#include "tests/oracle/models/sliced_programs.h"
#include "tests/oracle/models/sweep_models.h"
#include "tests/oracle/run_on_cpu.h"
#include "tests/unit/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace mpf::oracle {
namespace {

class GpuChains : public testing::TestWithParam<ElementType> {
protected:
  void SetUp() override {
    if (const std::string reason = gpuUnavailableReason(); !reason.empty())
      GTEST_SKIP() << reason;
    options_.plan.type = GetParam();
    options_.gpu = everything_;
  }

  Bundle compiled(std::mt19937_64 &random, const SweepModelOptions &shape, size_t sliced = 0) {
    const Model model = sweepModel(random, shape);
    const Query &query = model.queries.front();
    const auto times = makeDeviceCosts(everything_, GetParam(), options_.forcedLog);
    PlanOptions plan = options_.plan;
    plan.deviceCosts = times.get();
    Diagnostics diagnostics;
    return Pipeline(options_).compileProgram(
        model, sliced > 0 ? randomlySliced(random, model, query, sliced, {}, KeptMessages::None,
                                           times.get())
                          : buildProgram(model, query, plan, diagnostics));
  }

  /// Returns the number of operations that chains did.
  size_t expectTheCpusAnswer(const Bundle &bundle) {
    const auto cpu = runOnCpu(bundle);
    const auto gpu = runOnGpu(bundle, 0, true);
    const BufferId answer = bundle.outputs.front().buffer;
    const TableView a = cpu->table(answer), b = gpu->table(answer);
    EXPECT_NEAR(a.log2Entry(0) + a.state.scale, b.log2Entry(0) + b.state.scale,
                GetParam() == ElementType::F64 ? 1e-11 : 1e-4);
    const auto &profile = gpu->profile();
    return static_cast<size_t>(
        std::count_if(profile.begin(), profile.end(), [](const OperationProfile &operation) {
          return std::string_view(operation.path) == "chain";
        }));
  }

  const SpecialiseOptions everything_{targetNamed("sm_90"),
                                      std::numeric_limits<double>::infinity()};
  PipelineOptions options_;
};

size_t operationsInChains(const Bundle &bundle) {
  size_t count = 0;
  for (const BundleChain &chain : bundle.chains)
    count += chain.count;
  return count;
}

TEST_P(GpuChains, OneKernelGivesWhatItsOperationsGive) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 4; ++i) {
    SweepModelOptions shape;
    shape.rows = static_cast<uint32_t>(9 + i);
    shape.maxExtent = i % 2 == 0 ? 2 : 3;
    options_.forcedLog = i == 3;
    const Bundle bundle = compiled(random, shape);
    ASSERT_FALSE(bundle.chains.empty());
    EXPECT_EQ(expectTheCpusAnswer(bundle), operationsInChains(bundle)) << i;
  }
}

/// Ranges that no proof beforehand covers. The recorded ranges cover them for f64, but not for f32.
TEST_P(GpuChains, RecordedRangesDecide) {
  std::mt19937_64 random(2);
  SweepModelOptions shape;
  shape.rows = 10;
  shape.columns = 5;
  shape.leastLog2 = -24;
  const Bundle bundle = compiled(random, shape);
  ASSERT_FALSE(bundle.chains.empty());
  const size_t chained = expectTheCpusAnswer(bundle);
  if (GetParam() == ElementType::F64)
    EXPECT_GT(chained, 0u);
  else
    EXPECT_LT(chained, operationsInChains(bundle));
}

TEST_P(GpuChains, InsideTheLoopsOfSlices) {
  std::mt19937_64 random(3);
  size_t chained = 0;
  for (int i = 0; i < 4; ++i) {
    SweepModelOptions shape;
    shape.rows = 10;
    chained += expectTheCpusAnswer(compiled(random, shape, 1 + i % 2));
  }
  EXPECT_GT(chained, 0u);
}

TEST_P(GpuChains, AreChosenByMeasuringAsWell) {
  const TemporaryFolder cache;
  KernelStoreOptions storeOptions;
  storeOptions.cacheFolder = cache.path();
  KernelStore store(openNvrtcCompiler, storeOptions);
  const KernelPlan flush = flushL2Kernel(everything_.target);
  const FlushL2Kernel flushData{bundleKernel(flush),
                                flush.operation().operands.front().sizeElems * sizeof(float),
                                flush.operation().result.sizeElems * sizeof(float)};
  TuningReport report;
  SpecialiseOptions tuned = everything_;
  tuned.candidates = 3;
  tuned.tuner = [&](Bundle &bundle, std::span<const TuningCandidates> candidates) {
    TunedKernels choices({"this one", everything_.target.name, store.compilerVersion()},
                         cache.path());
    report = tuneKernels(bundle, candidates, choices, [&](const Bundle &now) {
      return makeGpuTuningDevice(now, flushData, store);
    });
  };
  options_.gpu = tuned;
  std::mt19937_64 random(4);
  SweepModelOptions shape;
  shape.rows = 16;
  const Bundle bundle = compiled(random, shape);
  EXPECT_GT(report.measured, 0u);
  EXPECT_GT(report.candidates, report.measured);
  size_t tunedChains = 0;
  for (const BundleChain &chain : bundle.chains)
    tunedChains += bundle.kernels[chain.kernel].tuning.has_value();
  EXPECT_GT(tunedChains, 0u);
  EXPECT_EQ(expectTheCpusAnswer(bundle), operationsInChains(bundle));
  const size_t measured = report.measured;
  compiled(random = std::mt19937_64(4), shape);
  EXPECT_EQ(report.measured, 0u);
  EXPECT_EQ(report.taken, measured);
}

INSTANTIATE_TEST_SUITE_P(Types, GpuChains, testing::Values(ElementType::F64, ElementType::F32));

} // namespace
} // namespace mpf::oracle
