// Tests that the engines after lanes answer random cases that set params, in logarithms too.
#include "dsl/support/error.h"
#include "runtime/engine/enumerate/enumerate_engine.h"
#include "runtime/engine/single/single_engine.h"
#include "runtime/engine/tables/table_engine.h"
#include "tests/oracle/lane_trials.h"
#include "tests/support/trials.h"

#include <gtest/gtest.h>

namespace mpf::oracle {
namespace {

struct ParamEngine {
  const char *name;
  PlannedEngine (*plan)(const CaseProblem &);
  bool forcedLog;
  ElementType type;
};

CaseSettings settingsOf(const ParamEngine &run) {
  CaseSettings settings;
  settings.compile.type = run.type;
  settings.compile.forcedLog = run.forcedLog;
  settings.compile.planRounds = 1;
  settings.session.device = "cpu";
  settings.compile.devices = DeviceRequest::cpu();
  settings.session.threads = 2;
  return settings;
}

class EnginesOfParams : public testing::TestWithParam<ParamEngine> {};

TEST_P(EnginesOfParams, AnswerAsTheDefinition) {
  const CaseSettings settings = settingsOf(GetParam());
  LaneJudge judge(GetParam().type == ElementType::F32 ? 1e-4 : 1e-11);
  std::mt19937_64 random(71);
  int unsupported = 0;
  const int models = trials(60);
  for (int i = 0; i < models && !HasFatalFailure(); ++i) {
    // Trials of even numbers have no evidence of the model, which engines lay out in full.
    const LaneTrial trial = randomTrial(random, 2 * i, {.setsParams = true});
    if (trial.query.combine != Combine::Times) // sums of costs: the judge is for products
      continue;
    SCOPED_TRACE(fmt::format("model {}", i));
    try {
      const CaseProblem problem{trial.model, trial.schema, trial.query, settings, {}, {}};
      const CaseEngine engine = GetParam().plan(problem).open();
      CaseAnswers answers = engine.layout;
      engine.answer(trial.block, answers);
      judge.compare(trial.model, trial.query, trial.schema, trial.block, answers);
    } catch (const Error &error) {
      ASSERT_EQ(error.kind(), ErrorKind::Unsupported) << error.what();
      ++unsupported;
    }
  }
  EXPECT_GT(judge.compared(), static_cast<size_t>(models));
  EXPECT_LT(unsupported, models / 4);
}

INSTANTIATE_TEST_SUITE_P(
    All, EnginesOfParams,
    testing::Values(ParamEngine{"tables", planTableEngine, false, ElementType::F64},
                    ParamEngine{"tablesLog", planTableEngine, true, ElementType::F64},
                    ParamEngine{"enumerate", planEnumeration, false, ElementType::F64},
                    ParamEngine{"single", planSingleEngine, false, ElementType::F64},
                    ParamEngine{"singleLog", planSingleEngine, true, ElementType::F64},
                    ParamEngine{"singleLog32", planSingleEngine, true, ElementType::F32}),
    [](const auto &run) { return std::string(run.param.name); });

} // namespace
} // namespace mpf::oracle
