// Tests tables over a case variable on a GPU: all kinds of queries, in specialised and in
// table-driven kernels. Each case has the answer by the definition.
#include "runtime/engine/tables/table_engine.h"
#include "runtime/machine/gpu_backend.h"
#include "tests/oracle/table_engine_trials.h"

#include <gtest/gtest.h>

namespace mpf::oracle {
namespace {

class GpuTableEngines : public testing::TestWithParam<EngineRun> {
protected:
  void SetUp() override {
    if (!gpuBackendUnavailable().empty())
      GTEST_SKIP() << gpuBackendUnavailable();
  }
};

TEST_P(GpuTableEngines, AnswerAsTheDefinition) {
  std::mt19937_64 random(13);
  for (const LaneTrialOptions &options : {LaneTrialOptions{}, LaneTrialOptions{.givesTables = true},
                                          LaneTrialOptions{.setsParams = true}}) {
    const EngineCounts counts = judgeEngine(GetParam(), random, options, 30);
    EXPECT_GT(counts.cases, 30u);
    EXPECT_LT(counts.unsupported, 8u);
  }
}

TEST_P(GpuTableEngines, FarApartEntriesLoseNothing) {
  if (GetParam().type != ElementType::F64)
    return;
  std::mt19937_64 random(15);
  const LaneTrialOptions options{.leastExponent = -200, .weightExponent = 300};
  EXPECT_GT(judgeEngine(GetParam(), random, options, 30).cases, 30u);
}

INSTANTIATE_TEST_SUITE_P(All, GpuTableEngines,
                         testing::Values(EngineRun{"F64", planTableEngine, "gpu"},
                                         EngineRun{"F32", planTableEngine, "gpu", ElementType::F32},
                                         EngineRun{"Log", planTableEngine, "gpu", ElementType::F64,
                                                   true}),
                         [](const auto &run) { return std::string(run.param.name); });

} // namespace
} // namespace mpf::oracle
