#include "tests/oracle/lane_trials.h"

#include "codegen/pipeline/pipeline.h"
#include "codegen/simplify/state/query_support.h"
#include "dsl/formats/cases/tables/case_formulas.h"
#include "tests/oracle/models/random_cases.h"
#include "tests/oracle/models/random_params.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <optional>

namespace mpf::oracle {

long double numberAt(const CaseTable &table, uint32_t i, size_t entry) {
  const ScaledNumber number = table.at(i, entry);
  return std::ldexp(static_cast<long double>(number.mantissa), static_cast<int>(number.exponent));
}

// --- Drawing
// --------------------------------------------------------------------------------------

namespace {

/// Returns a third of the query's factors, among those whose values cases do not give.
std::vector<FactorId> boundFactors(std::mt19937_64 &random, const Query &query,
                                   const CaseSchema &schema) {
  std::vector<FactorId> bound;
  for (const FactorId id : query.factors)
    if (random() % 3 == 0 && std::ranges::none_of(schema.tables, [id](const VaryingTable &table) {
          return std::ranges::find(table.factors, id) != table.factors.end();
        }))
      bound.push_back(id);
  return bound;
}

} // namespace

LaneTrial randomTrial(std::mt19937_64 &random, int number, const LaneTrialOptions &options) {
  constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Joint, QueryKind::Expression,
                                  QueryKind::Marginals, QueryKind::Mpe};
  RandomModelOptions drawn = options.model;
  drawn.observedShare = number % 2 == 0 ? 0 : 0.1;
  Model model = randomModel(random, drawn);
  spreadEntries(random, model, options.leastExponent);
  Query query = randomQuery(random, model, kKinds[number % 5]);
  CaseSchema schema = randomSchema(random, model, query);
  if (options.givesTables)
    addRandomTables(random, model, schema);
  DrawnParams params;
  std::optional<CaseFormulas> formulas;
  if (options.setsParams) {
    params = addRandomParams(random, model, schema);
    schema = formulas.emplace(model, schema, EntryNeeds{needsNonNegative(query)}).schema();
  }
  CaseBlock block = randomBlock(random, schema);
  if (options.weightExponent != 0)
    spreadWeights(random, block, options.weightExponent);
  if (formulas) {
    setRandomParams(random, schema, block);
    EXPECT_TRUE(formulas->fill(block).empty());
    params.compare(model, schema, block);
  }
  LaneTrial trial{std::move(model), std::move(query),     std::move(schema),
                  std::move(block), number / 10 % 2 == 0, {}};
  if (options.bindsTables)
    trial.bound = boundFactors(random, trial.query, trial.schema);
  return trial;
}

Model modelToPlan(const LaneTrial &trial) {
  Model planned = trial.model;
  for (size_t i = 0; i < trial.bound.size(); ++i) {
    Factor &factor = planned.factors[trial.bound[i].index()];
    const bool hasOthers = !trial.simplifies && i % 2 == 0;
    factor.values =
        hasOthers ? std::make_shared<const std::vector<double>>(factor.values->size(), 3) : nullptr;
  }
  return planned;
}

LanePlan planTrial(const LaneTrial &trial, ElementType type) {
  PipelineOptions options;
  options.plan.type = type;
  options.plan.search.rounds = 1;
  options.simplify.finalTables = options.simplify.finalEvidence = trial.simplifies;
  Diagnostics diagnostics;
  return Pipeline(options).planLanes(modelToPlan(trial), trial.query, trial.schema, diagnostics);
}

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

// --- Judging
// --------------------------------------------------------------------------------------

void LaneJudge::compare(const Model &model, const Query &query, const CaseSchema &schema,
                        const CaseBlock &block, const CaseAnswers &answers) {
  ASSERT_EQ(answers.count, block.count);
  for (uint32_t i = 0; i < block.count && !testing::Test::HasFatalFailure(); ++i) {
    SCOPED_TRACE(fmt::format("case {}", i));
    Query single = query;
    const Model observed = modelOfCase(model, single, schema, block, i);
    compareCase(observed, single, answers, i);
  }
}

void LaneJudge::compareCase(const Model &model, const Query &query, const CaseAnswers &answers,
                            uint32_t i) {
  const BruteAnswer expected = bruteForce(model, query);
  ++compared_;
  if (query.kind == QueryKind::Mpe)
    return compareBest(model, query, expected, answers, i);
  const bool isImpossible = std::ranges::all_of(expected.tables, [](const auto &table) {
    return std::ranges::all_of(table.second.values, [](long double value) { return !(value > 0); });
  });
  impossible_ += isImpossible ? 1 : 0;
  for (const CaseTable &table : answers.tables) {
    const auto right = expected.tables.find(table.name);
    if (right == expected.tables.end()) {
      ASSERT_EQ(query.kind, QueryKind::Marginals) << table.name;
      compareObserved(model, table, isImpossible, i);
      continue;
    }
    ASSERT_EQ(right->second.values.size(), table.size) << table.name;
    for (size_t e = 0; e < table.size; ++e) {
      long double value = right->second.values[e];
      if (std::isnan(value))
        value = 0; // no posterior exists
      const long double least = table.normalised ? leastShare_ : 0;
      const long double found = numberAt(table, i, e);
      ASSERT_LE(std::abs(found - value), tolerance_ * std::abs(value) + least)
          << static_cast<double>(found) << " instead of " << static_cast<double>(value) << ", "
          << table.name << ", entry " << e;
    }
  }
}

void LaneJudge::compareObserved(const Model &model, const CaseTable &table, bool isImpossible,
                                uint32_t i) {
  ++observed_;
  const std::vector<Observation> all = model.evidence.observations();
  const auto seen = std::find_if(all.begin(), all.end(), [&](const Observation &one) {
    return model.variable(one.variable).name == table.name;
  });
  ASSERT_NE(seen, all.end()) << table.name;
  for (uint32_t state = 0; state < table.size; ++state)
    ASSERT_NEAR(table.entries[i * table.size + state],
                state == seen->state && !isImpossible ? 1 : 0, tolerance_)
        << table.name << ", state " << state;
}

void LaneJudge::compareBest(const Model &model, const Query &query, const BruteAnswer &expected,
                            const CaseAnswers &answers, uint32_t i) {
  const long double best = expected.best;
  ASSERT_LE(std::abs(numberAt(answers.tables.front(), i) - best), tolerance_ * best);
  const auto first = answers.states.begin() + static_cast<ptrdiff_t>(i * answers.variables);
  const std::vector<uint32_t> states(first, first + static_cast<ptrdiff_t>(answers.variables));
  if (best == 0) {
    ++impossible_;
    ASSERT_EQ(states.front(), CaseAnswers::kNoState);
    return;
  }
  for (const Observation &seen : model.evidence.observations())
    ASSERT_EQ(states[seen.variable.index()], seen.state);
  ASSERT_LE(std::abs(productAt(model, query, states) - best), 1e-5L * best);
}

} // namespace mpf::oracle
