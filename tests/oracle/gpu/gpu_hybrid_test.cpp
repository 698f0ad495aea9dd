// Tests programs spread over the CPU and the machine's GPU at random. They give the CPU's answers,
// in each of several runs with the same bits.
#include "codegen/pipeline/pipeline.h"
#include "runtime/execute/gpu/gpu_executor.h"
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

namespace mpf::oracle {
namespace {

class GpuHybrids : public testing::TestWithParam<ElementType> {
protected:
  void SetUp() override {
    if (const std::string reason = gpuUnavailableReason(); !reason.empty())
      GTEST_SKIP() << reason;
  }
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
  options.plan.type = GetParam();
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
    const Schedule schedule = randomlyPlaced(*apart, random);
    auto host = makeCpuExecutor(*apart);
    GpuOptions oneByOne; // the same results lie apart then
    oneByOne.slicesAtOnce = 1;
    std::vector<DeviceExecutor> executors;
    executors.push_back({DeviceId::cpu(), std::move(host)});
    executors.push_back({DeviceId::gpu(0), makeGpuExecutor(bundle, oneByOne)});
    const auto hybrid = makeHybridExecutor(apart, std::move(executors));
    bindObserved(bundle, *hybrid);
    std::vector<std::vector<std::byte>> first;
    for (const size_t verifySamples : {0, 8, 0, 0}) {
      hybrid->run(schedule.steps, {false, verifySamples, {}});
      const double tolerance = GetParam() == ElementType::F64 ? 1e-11 : 1e-4;
      for (const BundleOutput &output : bundle.outputs) {
        const TableView a = cpu->table(output.buffer), b = hybrid->table(output.buffer);
        for (uint64_t e = 0; e < a.sizeElems; ++e) {
          const double x = a.log2Entry(e) + a.state.scale, y = b.log2Entry(e) + b.state.scale;
          if (!std::isfinite(x) && x == y)
            continue;
          EXPECT_NEAR(x, y, tolerance) << output.name << "[" << e << "]";
        }
      }
      if (traitsOf(bundle.kind).decoding && bundle.sliced.empty() &&
          GetParam() == ElementType::F64) {
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

INSTANTIATE_TEST_SUITE_P(Types, GpuHybrids, testing::Values(ElementType::F32, ElementType::F64));

} // namespace
} // namespace mpf::oracle
