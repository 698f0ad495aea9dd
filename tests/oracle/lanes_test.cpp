// Tests cases in lanes: every case has the answer of its single run, by the definition. The
// programs that run were read from their texts.
#include "codegen/bundle/lanes/print_lane_program.h"
#include "codegen/bundle/lanes/read_lane_program.h"
#include "codegen/lanes/build_lane_program.h"
#include "codegen/lanes/one_case_plan.h"
#include "codegen/pipeline/pipeline.h"
#include "dsl/support/check.h"
#include "runtime/execute/lanes/case_runner.h"
#include "tests/oracle/lane_trials.h"
#include "tests/oracle/models/random_cases.h"
#include "tests/oracle/models/random_models.h"
#include "tests/support/trials.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>

namespace mpf::oracle {
namespace {

struct LaneRun {
  const char *name;
  ElementType type;
  int leastExponent; ///< factors' entries are multiplied by powers of two down to 2^leastExponent
};

LaneProgram readBack(const LaneProgram &program) {
  const std::string text = printLaneProgram(program);
  Diagnostics diagnostics;
  auto read = readLanePrograms(std::make_shared<const SourceBuffer>("lanes", text), diagnostics);
  if (!read || read->size() != 1)
    fail(ErrorKind::Internal, "{}\n{}", renderDiagnostics(diagnostics), text);
  EXPECT_EQ(printLaneProgram(read->front().program), text);
  return std::move(read->front().program);
}

class Lanes : public testing::TestWithParam<LaneRun> {
protected:
  LanePlan planFor(const LaneTrial &trial) const {
    if (storesIndicators_)
      return planTrial(trial, GetParam().type);
    PipelineOptions options;
    options.plan.type = GetParam().type;
    options.plan.search.rounds = 1;
    const ObservableModel observable = observableModel(trial.model, trial.query, trial.schema);
    LaneOptions lanes = laneOptionsFor(DeviceKind::Cpu, GetParam().type);
    lanes.storedIndicatorElems = 0;
    Diagnostics diagnostics;
    return buildLanePlan(observable, planOneCase(observable, options.plan, diagnostics),
                         trial.schema, lanes);
  }

  void check(const LaneTrial &trial) {
    const LaneProgram program = readBack(planFor(trial).program);
    CaseRunner runner(program, {2});
    for (const FactorId id : trial.bound)
      runner.bind(trial.model.factor(id).name, *trial.model.factor(id).values);
    CaseAnswers answers;
    runner.run(trial.block, answers);
    leftLinear_ += runner.counts().inF64 + runner.counts().wide;
    judge_.compare(trial.model, trial.query, trial.schema, trial.block, answers);
  }

  /// Checks models at the width of the run.
  void checkModels(uint64_t seed, int models, LaneTrialOptions options);

  const double tolerance_ = GetParam().type == ElementType::F32 ? 1e-5 : 1e-12;
  LaneJudge judge_{tolerance_};
  bool storesIndicators_ = true;
  uint64_t leftLinear_ = 0; ///< cases that linear arithmetic did not answer
};

/// Checks random models with random cases.
void Lanes::checkModels(uint64_t seed, int models, LaneTrialOptions options) {
  std::mt19937_64 random(seed);
  options.leastExponent = GetParam().leastExponent;
  int unsupported = 0;
  for (int i = 0; i < models && !HasFatalFailure(); ++i) {
    const LaneTrial trial = randomTrial(random, i, options);
    SCOPED_TRACE(fmt::format("model {}", i));
    try {
      check(trial);
    } catch (const Error &error) {
      ASSERT_EQ(error.kind(), ErrorKind::Unsupported) << error.what();
      ++unsupported;
    }
  }
  EXPECT_GT(judge_.compared(), static_cast<size_t>(models));
  EXPECT_LT(unsupported, models / 4);
}

TEST_P(Lanes, EveryCaseHasTheAnswerOfItsSingleRun) {
  checkModels(17, trials(800), {});
  EXPECT_GT(judge_.observed(), 0u);
  // Ordinary values never leave linear arithmetic; some of the widest do.
  EXPECT_EQ(leftLinear_ > 0, GetParam().leastExponent < -100);
}

/// Most entries are 0, and so is the evidence of most cases.
TEST_P(Lanes, EvidenceMayBeImpossible) {
  checkModels(19, trials(200), {.model = {.zeroShare = 0.6}});
  EXPECT_GT(judge_.impossible(), 0u);
}

/// An observation of a variable also tells about those that it is a function of.
TEST_P(Lanes, FunctionsOfOtherVariablesMayBeObserved) {
  checkModels(53, trials(600), {.model = {.zeroShare = 0, .functionalShare = 0.6}});
}

TEST_P(Lanes, IndicatorsNeedNoStorage) {
  storesIndicators_ = false;
  checkModels(31, trials(300), {});
}

/// Cases give the entries of some factors, several of which may share a table.
TEST_P(Lanes, TablesMayDifferFromCaseToCase) {
  checkModels(43, trials(600), {.givesTables = true});
  checkModels(47, trials(100), {.weightExponent = -1070, .givesTables = true});
}

/// Cases set some params, and some tables follow from these. Other tables are given by cases or
/// bound later.
TEST_P(Lanes, TablesMayFollowFromParamsOfCases) {
  checkModels(61, trials(600), {.setsParams = true});
  checkModels(67, trials(200), {.givesTables = true, .bindsTables = true, .setsParams = true});
  EXPECT_GT(judge_.impossible(), 0u) << "a param of 0 makes entries 0";
}

/// Tables are planned without their values, or with other ones.
TEST_P(Lanes, TablesMayBeBoundLater) { checkModels(59, trials(400), {.bindsTables = true}); }

/// Codes of two and four bytes; an indicator of 70000 states would have 5e9 entries.
TEST_P(Lanes, VariablesMayHaveManyStates) {
  std::mt19937_64 random(37);
  for (const uint32_t extent : {300u, 70000u})
    for (const QueryKind kind : {QueryKind::Evidence, QueryKind::Marginals, QueryKind::Mpe}) {
      SCOPED_TRACE(fmt::format("{} states, {}", extent, traitsOf(kind).name));
      Model model;
      model.variables = {{"x", extent, {}}, {"y", 2, {}}};
      for (const std::vector<VarId> &scope : {std::vector{VarId{0}}, {VarId{1}, VarId{0}}}) {
        auto values = std::make_shared<std::vector<double>>(scopeElems(model, scope));
        for (double &value : *values)
          value = unit(random);
        const std::string name = fmt::format("f{}", scope.size());
        model.factors.push_back({name, name, scope, std::move(values)});
      }
      const Query query = randomQuery(random, model, kind);
      const CaseSchema schema{{{VarId{0}, extent}, {VarId{1}, 2}}, {}, {}};
      CaseBlock block(schema, 4);
      block.count = 4;
      for (uint32_t i = 0; i < block.count; ++i) {
        constexpr uint32_t kBefore[] = {0, 1, 7, 44}; // 0: not observed; k: k-th state from the end
        block.setCode(0, i, extent - kBefore[i]);
        block.setCode(1, i, i % 3);
      }
      check({model, query, schema, block, false, {}});
    }
}

/// Sums have numbers of both signs. They may cancel: errors are relative to the sum of magnitudes.
TEST_P(Lanes, SumsMayHaveNegativeTerms) {
  std::mt19937_64 random(41);
  for (int i = 0; i < trials(300) && !HasFatalFailure(); ++i) {
    Model model = randomModel(random, {});
    spreadEntries(random, model, GetParam().leastExponent);
    const Query query = randomQuery(random, model, QueryKind::Evidence);
    const CaseSchema schema = randomSchema(random, model, query);
    const CaseBlock block = randomBlock(random, schema);
    const Model magnitudes = model;
    for (Factor &factor : model.factors) {
      auto values = std::make_shared<std::vector<double>>(*factor.values);
      for (double &value : *values)
        value = random() % 3 == 0 ? -value : value;
      factor.values = std::move(values);
    }
    const LanePlan plan = planFor({model, query, schema, block, false, {}});
    CaseRunner runner(plan.program, {2});
    CaseAnswers answers;
    runner.run(block, answers);
    for (uint32_t number = 0; number < block.count; ++number) {
      SCOPED_TRACE(fmt::format("model {}, case {}", i, number));
      Query own = query, other = query;
      const BruteAnswer right = bruteForce(modelOfCase(model, own, schema, block, number), own);
      const BruteAnswer bound =
          bruteForce(modelOfCase(magnitudes, other, schema, block, number), other);
      for (const CaseTable &table : answers.tables)
        for (size_t e = 0; e < table.size; ++e)
          ASSERT_LE(std::abs(numberAt(table, number, e) - right.tables.at(table.name).values[e]),
                    tolerance_ * bound.tables.at(table.name).values[e])
              << table.name << ", entry " << e;
    }
  }
}

/// Weights that no number of the type holds, or that are subnormal, do not become 0.
TEST_P(Lanes, WeightsMayBeAsSmallAsDoublesAre) {
  for (const int least : {-160, -1070})
    checkModels(23, trials(500), {.weightExponent = least});
  EXPECT_GT(leftLinear_, 0u);
}

/// Weights that doubles hold do not become infinite.
TEST_P(Lanes, WeightsMayBeAsLargeAsDoublesAre) {
  checkModels(29, trials(200), {.weightExponent = 1020});
  EXPECT_GT(leftLinear_, 0u);
}

INSTANTIATE_TEST_SUITE_P(Runs, Lanes,
                         testing::Values(LaneRun{"F64", ElementType::F64, 0},
                                         LaneRun{"F32", ElementType::F32, 0},
                                         LaneRun{"F64Spread", ElementType::F64, -60},
                                         LaneRun{"F32Spread", ElementType::F32, -12},
                                         LaneRun{"F64Far", ElementType::F64, -1000},
                                         LaneRun{"F32Far", ElementType::F32, -120}),
                         [](const auto &run) { return std::string(run.param.name); });

} // namespace
} // namespace mpf::oracle
