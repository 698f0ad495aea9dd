// Cases in lanes: every case has the answer of its single run, as the definition gives it. What
// runs is what was read from the text of the program.
#include "codegen/bundle/lanes/print_lane_program.h"
#include "codegen/bundle/lanes/read_lane_program.h"
#include "codegen/lanes/build_lane_program.h"
#include "codegen/pipeline/pipeline.h"
#include "codegen/plan/build_program.h"
#include "runtime/execute/lanes/case_runner.h"
#include "tests/oracle/brute/model_brute_force.h"
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
  for (const VaryingTable &table : schema.tables) {
    auto entries = std::make_shared<std::vector<double>>(table.sizeElems);
    for (double &entry : *entries)
      entry = block.weights()[row++ * block.pitch() + number];
    for (const FactorId id : table.factors)
      single.factors[id.index()].values = entries;
  }
  return single;
}

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
  double tolerance() const { return GetParam().type == ElementType::F32 ? 2e-5 : 1e-12; }

  LanePlan planFor(const Model &model, const Query &query, const CaseSchema &schema) const {
    PipelineOptions options;
    options.plan.type = GetParam().type;
    options.plan.search.rounds = 1;
    options.simplify.finalTables = options.simplify.finalEvidence = simplifies_;
    Diagnostics diagnostics;
    if (storesIndicators_)
      return Pipeline(options).planLanes(model, query, schema, diagnostics);
    const ObservableModel observable = observableModel(model, query, schema);
    options.plan.keep = KeptMessages::None;
    LaneOptions lanes = laneOptionsFor(LaneDevice::Cpu, GetParam().type);
    lanes.storedIndicatorElems = 0;
    return buildLaneProgram(
        observable, buildProgram(observable.model, observable.query, options.plan, diagnostics),
        schema, lanes);
  }

  void check(const Model &model, const Query &query, const CaseSchema &schema,
             const CaseBlock &block) {
    const LaneProgram program = readBack(planFor(model, query, schema).program);
    CaseRunner runner(program, {2});
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
      if (right == expected.tables.end()) {
        ASSERT_EQ(query.kind, QueryKind::Marginals) << table.name;
        compareObserved(model, table, expected.tables.at("evidence").values.front() == 0, i);
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

  /// The posterior of what the case observes.
  void compareObserved(const Model &model, const CaseTable &table, bool isImpossible, uint32_t i) {
    ++observed_;
    const std::vector<Observation> all = model.evidence.observations();
    const auto seen = std::find_if(all.begin(), all.end(), [&](const Observation &one) {
      return model.variable(one.variable).name == table.name;
    });
    ASSERT_NE(seen, all.end()) << table.name;
    for (uint32_t state = 0; state < table.size; ++state)
      ASSERT_NEAR(table.entries[i * table.size + state],
                  state == seen->state && !isImpossible ? 1 : 0, tolerance())
          << table.name << ", state " << state;
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

  using ChangeBlock = std::function<void(std::mt19937_64 &, CaseBlock &)>;
  void checkModels(uint64_t seed, int models, RandomModelOptions options,
                   const ChangeBlock &change);

  bool storesIndicators_ = true, simplifies_ = false;
  bool givesTables_ = false;
  size_t compared_ = 0, observed_ = 0;
  uint64_t leftLinear_ = 0; ///< cases that linear arithmetic did not answer
};

/// Random models with random cases.
void Lanes::checkModels(uint64_t seed, int models, RandomModelOptions options,
                        const ChangeBlock &change) {
  std::mt19937_64 random(seed);
  int unsupported = 0;
  for (int i = 0; i < models && !HasFatalFailure(); ++i) {
    options.observedShare = i % 2 == 0 ? 0 : 0.1;
    simplifies_ = i / 10 % 2 == 0;
    Model model = randomModel(random, options);
    spreadEntries(random, model, GetParam().leastExponent);
    constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Joint, QueryKind::Expression,
                                    QueryKind::Marginals, QueryKind::Mpe};
    const Query query = randomQuery(random, model, kKinds[i % 5]);
    CaseSchema schema = randomSchema(random, model, query);
    if (givesTables_)
      addRandomTables(random, model, schema);
    SCOPED_TRACE(fmt::format("model {}", i));
    try {
      CaseBlock block = randomBlock(random, schema);
      if (change)
        change(random, block);
      check(model, query, schema, block);
    } catch (const Error &error) {
      ASSERT_EQ(error.kind(), ErrorKind::Unsupported) << error.what();
      ++unsupported;
    }
  }
  EXPECT_GT(compared_, static_cast<size_t>(models));
  EXPECT_LT(unsupported, models / 4);
}

TEST_P(Lanes, EveryCaseHasTheAnswerOfItsSingleRun) {
  checkModels(17, trials(800), {}, {});
  EXPECT_GT(observed_, 0u);
  // Ordinary values never leave it; some of the widest do.
  EXPECT_EQ(leftLinear_ > 0, GetParam().leastExponent < -100);
}

/// Most entries are 0, and so is the evidence of most cases.
TEST_P(Lanes, EvidenceMayBeImpossible) {
  RandomModelOptions options;
  options.zeroShare = 0.6;
  checkModels(19, trials(200), options, {});
}

/// What is seen of a variable is then known of those that it is a function of.
TEST_P(Lanes, FunctionsOfOtherVariablesMayBeObserved) {
  RandomModelOptions options;
  options.functionalShare = 0.6;
  options.zeroShare = 0;
  checkModels(53, trials(600), options, {});
}

TEST_P(Lanes, IndicatorsNeedNoStorage) {
  storesIndicators_ = false;
  checkModels(31, trials(300), {}, {});
}

/// Cases give the entries of some factors, several of which may have the same.
TEST_P(Lanes, TablesMayDifferFromCaseToCase) {
  givesTables_ = true;
  checkModels(43, trials(600), {}, {});
  checkModels(47, trials(100), {}, [](std::mt19937_64 &random, CaseBlock &block) {
    spreadWeights(random, block, -1070);
  });
}

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
        constexpr uint32_t kBefore[] = {0, 1, 7, 44}; // the last state but so many, or none at all
        block.setCode(0, i, extent - kBefore[i]);
        block.setCode(1, i, i % 3);
      }
      check(model, query, schema, block);
    }
}

/// Sums of numbers of both signs. They may cancel: errors are held against the sum of magnitudes.
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
    const LanePlan plan = planFor(model, query, schema);
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
                    tolerance() * bound.tables.at(table.name).values[e])
              << table.name << ", entry " << e;
    }
  }
}

/// Weights that no number of the type holds, or that are subnormal, are not 0.
TEST_P(Lanes, WeightsMayBeAsSmallAsDoublesAre) {
  for (const int least : {-160, -1070})
    checkModels(23, trials(500), {}, [least](std::mt19937_64 &random, CaseBlock &block) {
      spreadWeights(random, block, least);
    });
  EXPECT_GT(leftLinear_, 0u);
}

/// Nor are weights infinite that doubles hold.
TEST_P(Lanes, WeightsMayBeAsLargeAsDoublesAre) {
  checkModels(29, trials(200), {}, [](std::mt19937_64 &random, CaseBlock &block) {
    spreadWeights(random, block, 1020);
  });
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
