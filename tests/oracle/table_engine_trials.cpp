#include "tests/oracle/table_engine_trials.h"

#include "dsl/support/error.h"
#include "runtime/choose/jit_gpu.h"
#include "runtime/choose/program_predictor.h"
#include "runtime/machine/gpu_backend.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

namespace mpf::oracle {

CaseSettings settingsOf(const EngineRun &run) {
  CaseSettings settings;
  settings.compile.type = run.type;
  settings.compile.forcedLog = run.forcedLog;
  settings.compile.planRounds = 1;
  settings.session.device = run.device;
  settings.compile.devices = deviceRequestOf(run.device);
  settings.session.threads = 2;
  settings.compile.purpose = Purpose::Bundle; // leaves the chooser and the GPU below
  settings.compile.expectedRuns = 1e4;        // questions of the planner pay
  return settings;
}

EngineCounts judgeEngine(const EngineRun &run, std::mt19937_64 &random,
                         const LaneTrialOptions &options, int models) {
  LaneJudge judge(run.type == ElementType::F32 ? 1e-4 : 1e-11,
                  run.type == ElementType::F32 ? 1e-30L : 1e-300L);
  CaseSettings settings = settingsOf(run);
  EngineCounts counts;
  for (int i = 0; i < models && !testing::Test::HasFatalFailure(); ++i) {
    const LaneTrial trial = randomTrial(random, i, options);
    const bool isLaidOutInFull = std::ranges::any_of(trial.query.output, [&trial](VarId id) {
      return trial.model.evidence.observes(id);
    });                                                           // the definition's table is not
    if (trial.query.combine != Combine::Times || isLaidOutInFull) // the judge is for products
      continue;
    SCOPED_TRACE(fmt::format("model {}, {}", i, queryKindName(trial.query.kind)));
    // Every other trial chooses by predicted times how tables are stored.
    settings.compile.chooser =
        i % 2 == 0 ? std::make_shared<ProgramPredictor>(settings.compile) : nullptr;
    if (settings.compile.devices.requiresGpu()) { // every other program has specialised kernels
      const double runs =
          trial.model.factors.size() % 2 == 0 ? std::numeric_limits<double>::infinity() : 0;
      settings.compile.gpu = gpuNamed(gpuBackendArch(), {runs, runs});
    }
    settings.compile.simplify = trial.simplifies ? Simplification::All : Simplification::Off;
    try {
      const CaseProblem problem{trial.model, trial.schema,      trial.query,
                                settings,    1 + random() % 24, {}};
      const CaseEngine engine = run.plan(problem).open();
      CaseAnswers answers = engine.layout;
      engine.answer(trial.block, answers);
      judge.compare(trial.model, trial.query, trial.schema, trial.block, answers);
      ++counts.models;
    } catch (const Error &error) {
      EXPECT_EQ(error.kind(), ErrorKind::Unsupported) << error.what();
      ++counts.unsupported;
    }
  }
  counts.cases = judge.compared();
  counts.impossible = judge.impossible();
  counts.observed = judge.observed();
  return counts;
}

} // namespace mpf::oracle
