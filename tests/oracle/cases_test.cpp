// Cases in blocks: every case has the answer of its single run, as the definition gives it.
#include "codegen/cases/case_axis.h"
#include "codegen/pipeline/pipeline.h"
#include "runtime/api/session.h"
#include "runtime/choose/jit_gpu.h"
#include "runtime/machine/gpu_backend.h"
#include "tests/oracle/brute/model_brute_force.h"
#include "tests/oracle/models/random_models.h"
#include "tests/support/trials.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <optional>

namespace mpf::oracle {
namespace {

struct CasesRun {
  const char *name;
  const char *device;
  ElementType type;
  bool forcedLog;
};

/// Returns cases over some variables that the query does not ask for. Some are not observed; some
/// columns have one state in every case.
Evidence randomCases(std::mt19937_64 &random, const Model &model, const Query &query) {
  std::vector<VarId> columns;
  std::vector<char> isConstant;
  for (size_t i = 0; i < model.variables.size(); ++i)
    if (std::find(query.output.begin(), query.output.end(), VarId{i}) == query.output.end() &&
        random() % 2 == 0) {
      columns.push_back(VarId{i});
      isConstant.push_back(random() % 4 == 0);
    }
  const uint64_t cases = 1 + random() % 9;
  std::vector<uint32_t> states;
  for (uint64_t number = 0; number < cases; ++number)
    for (size_t i = 0; i < columns.size(); ++i) {
      const auto state = static_cast<uint32_t>(random() % model.variable(columns[i]).extent);
      if (isConstant[i])
        states.push_back(number == 0 ? state : states[states.size() - columns.size()]);
      else
        states.push_back(random() % 3 == 0 ? Evidence::kNotObserved : state);
    }
  return listedEvidence(columns, states, cases);
}

/// Returns the indicator of an observed variable for the cases from `firstCase` on, row-major over
/// (case of the block, state). A place after the last case allows all states.
std::vector<double> blockIndicator(const Evidence &evidence, VarId variable, uint32_t extent,
                                   uint64_t firstCase, uint32_t blockCases) {
  std::vector<double> entries;
  for (uint64_t number = firstCase; number < firstCase + blockCases; ++number) {
    const std::optional<uint32_t> seen =
        number < evidence.caseCount ? evidence.state(variable, number) : std::nullopt;
    for (uint32_t state = 0; state < extent; ++state)
      entries.push_back(!seen || *seen == state ? 1 : 0);
  }
  return entries;
}

Program compiled(const CasesRun &run, std::mt19937_64 &random, const CaseModel &cases) {
  PipelineOptions options;
  options.plan.type = options.simplify.type = run.type;
  options.simplify.finalTables = options.simplify.finalEvidence = random() % 2 == 0;
  options.forcedLog = run.forcedLog;
  if (std::string(run.device) == "gpu") {
    const double runs = random() % 2 == 0 ? std::numeric_limits<double>::infinity() : 0;
    options.gpu = gpuNamed(gpuBackendArch(), {runs, runs});
  }
  Diagnostics diagnostics;
  return Program(std::make_shared<const Bundle>(
      Pipeline(options).compile(cases.model, cases.query, diagnostics)));
}

/// Returns the expected answer to one case, as fractions of the sum where the query asks for a
/// posterior.
std::vector<double> expectedOf(Model model, const Query &query, const Evidence &cases,
                               uint64_t number) {
  model.evidence = Evidence();
  model.evidence.add(cases.observations(number));
  const BruteAnswer answer = bruteForce(model, query);
  EXPECT_EQ(answer.tables.size(), 1u);
  const auto &values = answer.tables.begin()->second.values;
  return {values.begin(), values.end()};
}

/// Normalises values; all are 0 where there is no posterior.
void normalise(std::vector<double> &values) {
  for (double &value : values)
    value = std::isnan(value) ? 0 : value;
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  for (double &value : values)
    value = sum == 0 ? 0 : value / sum;
}

class Cases : public testing::TestWithParam<CasesRun> {
protected:
  void SetUp() override {
    if (std::string(GetParam().device) == "gpu" && !gpuBackendUnavailable().empty())
      GTEST_SKIP() << gpuBackendUnavailable();
  }

  /// Runs the cases in blocks in one session, and compares each of them.
  void check(std::mt19937_64 &random, const Model &model, const Query &query,
             const Evidence &evidence) {
    Model listed = model;
    listed.evidence = evidence;
    const auto block = static_cast<uint32_t>(1 + random() % 6);
    const CaseModel cases = withCaseAxis(listed, query, block);
    const Program program = compiled(GetParam(), random, cases);
    SessionOptions options;
    options.device = GetParam().device;
    options.threads = 1;
    Session session(program, options);
    for (uint64_t first = 0; first < evidence.caseCount; first += block) {
      for (const CaseIndicator &indicator : cases.indicators)
        session.bind(cases.model.factor(indicator.factor).name,
                     blockIndicator(evidence, indicator.variable,
                                    model.variable(indicator.variable).extent, first, block));
      const Result result = session.run();
      ASSERT_EQ(result.tables.size(), 1u);
      for (uint64_t i = 0; i < block && first + i < evidence.caseCount; ++i)
        compare(model, query, evidence, first + i, result.tables.front(), i);
    }
  }

  void compare(const Model &model, const Query &query, const Evidence &evidence, uint64_t number,
               const ResultTable &table, uint64_t row) {
    std::vector<double> expected = expectedOf(model, query, evidence, number);
    std::vector<double> found;
    for (size_t i = 0; i < expected.size(); ++i)
      found.push_back(table.at(row * expected.size() + i).value().value_or(0));
    if (traitsOf(query.kind).isQuotient) {
      normalise(expected);
      normalise(found);
    }
    const double tolerance = GetParam().type == ElementType::F32 ? 1e-5 : 1e-12;
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(found[i], expected[i], tolerance * std::abs(expected[i]))
          << "case " << number << ", entry " << i;
    ++compared_;
  }

  size_t compared_ = 0;
};

TEST_P(Cases, EachHasTheAnswerOfItsSingleRun) {
  std::mt19937_64 random(11);
  RandomModelOptions options;
  options.observedShare = 0;
  // Compiling takes time for each model on a GPU.
  const int models = std::string(GetParam().device) == "gpu" ? trials(60) : trials(3000);
  int unsupported = 0;
  for (int i = 0; i < models && !HasFatalFailure(); ++i) {
    const Model model = randomModel(random, options);
    constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Joint, QueryKind::Expression};
    const Query query = randomQuery(random, model, kKinds[i % 3]);
    const Evidence evidence = randomCases(random, model, query);
    SCOPED_TRACE(fmt::format("model {}", i));
    try {
      check(random, model, query, evidence);
    } catch (const Error &error) {
      ASSERT_EQ(error.kind(), ErrorKind::Unsupported) << error.what();
      ++unsupported;
    }
  }
  EXPECT_GT(compared_, static_cast<size_t>(models));
  EXPECT_LT(unsupported, models / 2);
}

TEST(CaseAxis, WhatAllCasesShareStaysEvidence) {
  Model model;
  model.variables = {{"a", 2, {}}, {"b", 2, {}}, {"case", 2, {}}};
  model.factors.push_back({"f",
                           "f",
                           {VarId{0}, VarId{1}, VarId{2}},
                           std::make_shared<const std::vector<double>>(8, 1.0)});
  model.evidence = listedEvidence({VarId{0}, VarId{1}}, {1, 0, 1, Evidence::kNotObserved}, 2);
  const CaseModel cases = withCaseAxis(model, shortQuery(model, QueryKind::Evidence), 4);
  EXPECT_EQ(cases.model.evidence.state(VarId{0}), 1u);
  ASSERT_EQ(cases.indicators.size(), 1u);
  EXPECT_EQ(cases.indicators[0].variable, VarId{1});
  EXPECT_EQ(cases.model.variable(cases.axis).name, "case_1");
  EXPECT_EQ(blockIndicator(model.evidence, VarId{1}, 2, 0, 3),
            (std::vector<double>{1, 0, 1, 1, 1, 1}));
}

INSTANTIATE_TEST_SUITE_P(Runs, Cases,
                         testing::Values(CasesRun{"Cpu", "cpu", ElementType::F64, false},
                                         CasesRun{"CpuF32", "cpu", ElementType::F32, false},
                                         CasesRun{"CpuLog", "cpu", ElementType::F64, true},
                                         CasesRun{"Gpu", "gpu", ElementType::F64, false},
                                         CasesRun{"GpuF32", "gpu", ElementType::F32, false},
                                         CasesRun{"GpuLog", "gpu", ElementType::F64, true}),
                         [](const auto &run) { return std::string(run.param.name); });

} // namespace
} // namespace mpf::oracle
