// Cases in lanes: every case has the answer of its single run, as the definition gives it.
#include "codegen/pipeline/pipeline.h"
#include "runtime/execute/lanes/case_runner.h"
#include "tests/oracle/brute/model_brute_force.h"
#include "tests/oracle/models/random_cases.h"
#include "tests/oracle/models/random_models.h"
#include "tests/support/trials.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace mpf::oracle {
namespace {

struct LaneRun {
  const char *name;
  ElementType type;
  int leastExponent; ///< factors' entries are multiplied by powers of two down to 2^leastExponent
};

long double numberAt(const CaseTable &table, uint32_t i, size_t entry = 0) {
  const ScaledNumber number = table.at(i, entry);
  return std::ldexp(static_cast<long double>(number.mantissa), static_cast<int>(number.exponent));
}

/// The model of one case.
Model modelOfCase(const Model &model, Query &query, const CaseSchema &schema,
                  const CaseBlock &block, uint32_t number) {
  Model single = model;
  std::vector<Observation> seen;
  for (size_t c = 0; c < schema.observed.size(); ++c)
    if (block.code(c, number) < schema.observed[c].extent)
      seen.push_back({schema.observed[c].variable, block.code(c, number)});
  single.evidence.add(std::move(seen));
  size_t row = 0;
  for (const CaseVariable &likelihood : schema.likelihoods) {
    std::vector<double> weights;
    for (uint32_t state = 0; state < likelihood.extent; ++state)
      weights.push_back(block.weights()[row++ * block.pitch() + number]);
    query.factors.push_back(FactorId{single.factors.size()});
    single.factors.push_back({"likelihood",
                              "likelihood",
                              {likelihood.variable},
                              std::make_shared<const std::vector<double>>(weights)});
  }
  return single;
}

class Lanes : public testing::TestWithParam<LaneRun> {
protected:
  double tolerance() const { return GetParam().type == ElementType::F32 ? 2e-5 : 1e-12; }

  void check(const Model &model, const Query &query, const CaseSchema &schema,
             const CaseBlock &block) {
    PipelineOptions options;
    options.plan.type = GetParam().type;
    options.plan.search.rounds = 1;
    Diagnostics diagnostics;
    const LanePlan plan = Pipeline(options).planLanes(model, query, schema, diagnostics);
    CaseRunner runner(plan.program, {2});
    CaseAnswers answers;
    runner.run(block, answers);
    leftLinear_ += runner.counts().second + runner.counts().wide;
    ASSERT_EQ(answers.count, block.count);
    for (uint32_t i = 0; i < block.count && !HasFatalFailure(); ++i) {
      SCOPED_TRACE(fmt::format("case {}", i));
      Query single = query;
      const Model observed = modelOfCase(model, single, schema, block, i);
      compare(observed, single, answers, i);
    }
  }

  void compare(const Model &model, const Query &query, const CaseAnswers &answers, uint32_t i) {
    const BruteAnswer expected = bruteForce(model, query);
    ++compared_;
    if (query.kind == QueryKind::Mpe)
      return compareBest(model, query, expected, answers, i);
    for (const CaseTable &table : answers.tables) {
      const auto right = expected.tables.find(table.name);
      if (right == expected.tables.end()) { // the posterior of what the case observes
        ASSERT_EQ(query.kind, QueryKind::Marginals) << table.name;
        continue;
      }
      ASSERT_EQ(right->second.values.size(), table.size) << table.name;
      for (size_t e = 0; e < table.size; ++e) {
        long double value = right->second.values[e];
        if (std::isnan(value))
          value = 0; // no posterior exists
        // A share of a posterior may be less than the least double.
        const long double least = table.normalised ? 1e-300L : 0;
        const long double found = numberAt(table, i, e);
        ASSERT_LE(std::abs(found - value), tolerance() * std::abs(value) + least)
            << static_cast<double>(found) << " instead of " << static_cast<double>(value) << ", "
            << table.name << ", entry " << e;
      }
    }
  }

  void compareBest(const Model &model, const Query &query, const BruteAnswer &expected,
                   const CaseAnswers &answers, uint32_t i) {
    const long double best = expected.best;
    ASSERT_LE(std::abs(numberAt(answers.tables.front(), i) - best), tolerance() * best);
    const auto first = answers.states.begin() + static_cast<ptrdiff_t>(i * answers.variables);
    const std::vector<uint32_t> states(first, first + static_cast<ptrdiff_t>(answers.variables));
    if (best == 0) {
      ASSERT_EQ(states.front(), CaseAnswers::kNoState);
      return;
    }
    for (const Observation &seen : model.evidence.observations())
      ASSERT_EQ(states[seen.variable.index()], seen.state);
    ASSERT_LE(std::abs(productAt(model, query, states) - best), 1e-5L * best);
  }

  size_t compared_ = 0;
  uint64_t leftLinear_ = 0; ///< cases that linear arithmetic did not answer
};

TEST_P(Lanes, EveryCaseHasTheAnswerOfItsSingleRun) {
  std::mt19937_64 random(17);
  RandomModelOptions options;
  const int models = trials(2000);
  int unsupported = 0;
  for (int i = 0; i < models && !HasFatalFailure(); ++i) {
    options.observedShare = i % 2 == 0 ? 0 : 0.1;
    Model model = randomModel(random, options);
    spreadEntries(random, model, GetParam().leastExponent);
    constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Joint, QueryKind::Expression,
                                    QueryKind::Marginals, QueryKind::Mpe};
    const Query query = randomQuery(random, model, kKinds[i % 5]);
    const CaseSchema schema = randomSchema(random, model, query);
    SCOPED_TRACE(fmt::format("model {}", i));
    try {
      check(model, query, schema, randomBlock(random, schema));
    } catch (const Error &error) {
      ASSERT_EQ(error.kind(), ErrorKind::Unsupported) << error.what();
      ++unsupported;
    }
  }
  EXPECT_GT(compared_, static_cast<size_t>(models));
  EXPECT_LT(unsupported, models / 4);
  // Ordinary values never leave it; some of the widest do.
  EXPECT_EQ(leftLinear_ > 0, GetParam().leastExponent < -100);
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
