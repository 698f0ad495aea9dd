// Tests programs spread at random over the CPU and one or two GPUs of the machine. They give the
// CPU's answers, in each of several runs with the same bits.
#include "codegen/pipeline/pipeline.h"
#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/execute/gpu/runs/gpu_executor.h"
#include "runtime/execute/hybrid/hybrid_executor.h"
#include "runtime/schedule/lay_apart.h"
#include "tests/oracle/bind_observed.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/random_placement.h"
#include "tests/oracle/models/sliced_programs.h"
#include "tests/oracle/run_on_cpu.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <tuple>

namespace mpf::oracle {
namespace {

/// The params are the type of the entries and the number of GPUs.
class GpuHybrids : public testing::TestWithParam<std::tuple<ElementType, uint32_t>> {
protected:
  void SetUp() override {
    if (const std::string reason = CudaDevice::lack(static_cast<int>(gpus_) - 1).reason;
        !reason.empty())
      GTEST_SKIP() << reason;
  }

  const ElementType type_ = std::get<0>(GetParam());
  const uint32_t gpus_ = std::get<1>(GetParam());
};

std::vector<std::vector<std::byte>> outputsOf(const Bundle &bundle, const Executor &executor) {
  std::vector<std::vector<std::byte>> all;
  for (const BundleOutput &output : bundle.outputs) {
    const TableView table = executor.table(output.buffer);
    all.emplace_back(table.entries, table.entries + table.sizeElems * elementBytes(bundle.type));
  }
  return all;
}

TEST_P(GpuHybrids, AgreeWithTheCpu) {
  std::mt19937_64 random(31);
  PipelineOptions options;
  options.plan.type = type_;
  RandomModelOptions shape;
  shape.maxVariables = 14;
  shape.maxFactors = 24;
  for (int i = 0; i < 60 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const Model model = randomModel(random, shape);
    constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Joint, QueryKind::Mpe,
                                    QueryKind::Marginals, QueryKind::Optimum};
    const Query query = randomQuery(random, model, kKinds[i % 5]);
    options.forcedLog = i % 7 == 3;
    const double runs = i % 6 == 0 ? std::numeric_limits<double>::infinity() : 0;
    options.gpu = SpecialiseOptions{targetNamed("sm_90"), runs};
    const Bundle bundle = Pipeline(options).compileProgram(
        model, randomlySliced(random, model, query, i % 4 == 0 ? 1 : 0));
    const auto cpu = runOnCpu(bundle);
    auto apart = std::make_shared<const Bundle>(layApart(bundle));
    const Schedule schedule = randomlyPlaced(*apart, random, gpus_);
    auto host = makeCpuExecutor(*apart);
    GpuOptions oneByOne; // the same results lie apart then
    oneByOne.slicesAtOnce = 1;
    std::vector<DeviceExecutor> executors;
    executors.push_back({DeviceId::cpu(), std::move(host)});
    for (uint32_t gpu = 0; gpu < gpus_; ++gpu) {
      oneByOne.ordinal = static_cast<int>(gpu);
      executors.push_back({DeviceId::gpu(gpu), makeGpuExecutor(bundle, oneByOne)});
    }
    const auto hybrid = makeHybridExecutor(apart, std::move(executors));
    bindObserved(bundle, *hybrid);
    std::vector<std::vector<std::byte>> first;
    for (const size_t verifySamples : {0, 8, 0, 0}) {
      hybrid->run(schedule.steps, {false, verifySamples, {}});
      const double tolerance = type_ == ElementType::F64 ? 1e-11 : 1e-4;
      for (const BundleOutput &output : bundle.outputs) {
        const TableView a = cpu->table(output.buffer), b = hybrid->table(output.buffer);
        for (uint64_t e = 0; e < a.sizeElems; ++e) {
          const double x = a.log2Entry(e) + a.state.scale, y = b.log2Entry(e) + b.state.scale;
          if (!std::isfinite(x) && x == y)
            continue;
          EXPECT_NEAR(x, y, tolerance) << output.name << "[" << e << "]";
        }
      }
      if (traitsOf(bundle.kind).decoding && bundle.sliced.empty() && type_ == ElementType::F64) {
        const std::vector<uint32_t> given =
            statesByVariable(bundle.evidence, bundle.variables.size());
        EXPECT_EQ(hybrid->decode({given}), cpu->decode({given}));
      }
      if (first.empty())
        first = outputsOf(bundle, *hybrid);
      if (verifySamples == 0) {
        EXPECT_EQ(outputsOf(bundle, *hybrid), first);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, GpuHybrids,
                         testing::Combine(testing::Values(ElementType::F32, ElementType::F64),
                                          testing::Values(1u, 2u)));

} // namespace
} // namespace mpf::oracle
