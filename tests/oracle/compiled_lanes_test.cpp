// Tests cases in lanes with compiled kernels (runtime/execute/lanes/compiled): the answers of brute
// force where all steps are compiled, and those of the built-in kernels where some are.
#include "runtime/compile/cpp_compiler.h"
#include "runtime/execute/lanes/case_runner.h"
#include "tests/oracle/lane_trials.h"
#include "tests/oracle/models/random_cases.h"
#include "tests/oracle/models/random_models.h"
#include "tests/support/trials.h"
#include "tests/unit/temporary_folder.h"

#include <gtest/gtest.h>
#include <limits>

namespace mpf::oracle {
namespace {

struct CompiledRun {
  const char *name;
  ElementType type;
  int leastExponent; ///< as LaneTrialOptions
};

class CompiledLanes : public testing::TestWithParam<CompiledRun> {
protected:
  void SetUp() override {
    if (findCppCompiler().empty())
      GTEST_SKIP() << "there is no C++ compiler";
  }

  CaseRunnerOptions options(double expectedCases) const {
    CaseRunnerOptions options{2};
    options.own.expectedRuns = expectedCases;
    options.own.cacheFolder = folder_.path() + "/cache";
    return options;
  }

  static bool isCompiled(CaseRunner &runner) {
    const std::string device = runner.deviceName();
    EXPECT_EQ(device.find("not compiled"), std::string::npos) << device;
    return device.find("compiled") != std::string::npos;
  }

  bool isSupported(const LaneTrial &trial) const {
    try {
      planTrial(trial, GetParam().type);
      return true;
    } catch (const Error &error) {
      EXPECT_EQ(error.kind(), ErrorKind::Unsupported) << error.what();
      return false;
    }
  }

  void checkModels(uint64_t seed, int models, LaneTrialOptions trialOptions) {
    std::mt19937_64 random(seed);
    trialOptions.leastExponent = GetParam().leastExponent;
    int compiled = 0;
    for (int i = 0; i < models && !HasFatalFailure(); ++i) {
      const LaneTrial trial = randomTrial(random, i, trialOptions);
      SCOPED_TRACE(fmt::format("model {}", i));
      if (!isSupported(trial))
        continue;
      const LaneProgram program = planTrial(trial, GetParam().type).program;
      CaseRunner runner(program, options(std::numeric_limits<double>::infinity()));
      CaseAnswers answers;
      runner.run(trial.block, answers);
      compiled += isCompiled(runner) ? 1 : 0;
      leftLinear_ += runner.counts().inF64 + runner.counts().wide;
      judge_.compare(trial.model, trial.query, trial.schema, trial.block, answers);
    }
    EXPECT_GE(compiled, models / 2);
  }

  LaneJudge judge_{GetParam().type == ElementType::F32 ? 1e-5 : 1e-12};
  TemporaryFolder folder_;
  uint64_t leftLinear_ = 0; ///< cases that linear arithmetic did not answer
};

TEST_P(CompiledLanes, EveryCaseHasTheAnswerOfItsSingleRun) {
  const int models = trials(24);
  checkModels(117, models, {});
  if (GetParam().leastExponent >= -100) {
    EXPECT_EQ(leftLinear_, 0u);
  } else if (models == 24) { // among fewer there may be none
    EXPECT_GT(leftLinear_, 0u);
  }
}

TEST_P(CompiledLanes, EvidenceMayBeImpossible) {
  checkModels(119, trials(8), {.model = {.zeroShare = 0.6}});
}

TEST_P(CompiledLanes, TablesMayDifferFromCaseToCase) {
  checkModels(143, trials(12), {.weightExponent = -1070, .givesTables = true});
}

/// The text holds the values of a program: after other values are bound, the built-in kernels run.
TEST_P(CompiledLanes, BoundTablesAreNotThoseOfTheText) {
  std::mt19937_64 random(159);
  int bound = 0;
  for (int i = 0; i < trials(16) && !HasFatalFailure(); ++i) {
    const LaneTrial trial = randomTrial(random, i, {.bindsTables = true});
    if (trial.bound.empty() || !isSupported(trial))
      continue;
    const LaneProgram program = planTrial(trial, GetParam().type).program;
    CaseRunner runner(program, options(std::numeric_limits<double>::infinity()));
    for (const FactorId id : trial.bound)
      runner.bind(trial.model.factor(id).name, *trial.model.factor(id).values);
    EXPECT_FALSE(isCompiled(runner));
    CaseAnswers answers;
    runner.run(trial.block, answers);
    judge_.compare(trial.model, trial.query, trial.schema, trial.block, answers);
    ++bound;
  }
  EXPECT_GT(bound, 0);
}

INSTANTIATE_TEST_SUITE_P(Types, CompiledLanes,
                         testing::Values(CompiledRun{"F64", ElementType::F64, 0},
                                         CompiledRun{"F64Far", ElementType::F64, -1000},
                                         CompiledRun{"F32Far", ElementType::F32, -120}),
                         [](const auto &run) { return std::string(run.param.name); });

} // namespace
} // namespace mpf::oracle
