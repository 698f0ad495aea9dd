// Simplified, planned, run and restored: every kind of query of random structured models against
// exhaustive enumeration, with all passes, with none, and with each alone left out.
#include "codegen/pipeline/pipeline.h"
#include "codegen/simplify/state/query_support.h"
#include "runtime/api/session.h"
#include "tests/oracle/brute/model_brute_force.h"
#include "tests/oracle/models/structured_models.h"
#include "tests/support/trials.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace mpf {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool same(double found, long double wanted) {
  const auto expected = static_cast<double>(wanted);
  if (std::isinf(found) || std::isinf(expected))
    return found == expected;
  return std::abs(found - expected) <= 1e-9 * std::max(std::abs(expected), 1e-6);
}

/// Returns the number in the form that the query's author expects.
double numberOf(const Query &query, const ResultTable &table, size_t i) {
  if (table.logValues)
    return table.at(i).ln();
  if (query.combine == Combine::Plus)
    return table.entries[i];
  return table.at(i).value().value_or(kInfinity);
}

void compareTables(const Query &query, const oracle::BruteAnswer &wanted, const Result &found) {
  ASSERT_EQ(found.tables.size(), wanted.tables.size());
  for (const ResultTable &table : found.tables) {
    ASSERT_TRUE(wanted.tables.count(table.name)) << table.name;
    const oracle::BruteTable &expected = wanted.tables.at(table.name);
    ASSERT_EQ(table.extents.size(), expected.scope.size());
    if (table.entries.empty()) {
      ASSERT_TRUE(found.zeroProbability && table.normalised) << table.name;
      for (const long double value : expected.values)
        ASSERT_TRUE(std::isnan(value) || value == 0);
      continue;
    }
    ASSERT_EQ(table.entries.size(), expected.values.size()) << table.name;
    for (size_t i = 0; i < table.entries.size(); ++i)
      ASSERT_TRUE(same(numberOf(query, table, i), expected.values[i]))
          << table.name << "[" << i << "] = " << numberOf(query, table, i) << ", expected "
          << expected.values[i];
  }
}

void compare(const Model &model, const Query &query, const Result &found) {
  const oracle::BruteAnswer wanted = oracle::bruteForce(model, query);
  compareTables(query, wanted, found);
  ASSERT_EQ(found.variables.size(), model.variables.size());
  for (const Observation &seen : model.evidence.observations())
    ASSERT_EQ(found.evidence.state(seen.variable), seen.state);
  if (!traitsOf(query.kind).decoding)
    return;
  const bool isLeast = !query.reductions.empty() && query.reductions.front().reduce == Reduce::Min;
  const long double nothing = query.combine == Combine::Plus ? -kInfinity : 0;
  ASSERT_EQ(found.assignments.size(), isLeast || wanted.best > nothing ? 1 : 0);
  if (found.assignments.empty())
    return;
  for (const Observation &seen : model.evidence.observations())
    ASSERT_EQ(found.assignments[0].states[seen.variable.index()], seen.state);
  ASSERT_TRUE(
      same(static_cast<double>(oracle::productAt(model, query, found.assignments[0].states)),
           wanted.best));
}

Session sessionOf(const Model &model, const Query &query, const SimplifyOptions &simplify) {
  PipelineOptions options;
  options.simplify = simplify;
  Diagnostics diagnostics;
  SessionOptions session;
  session.device = "cpu";
  session.threads = 1;
  return Session(
      Program(std::make_shared<const Bundle>(Pipeline(options).compile(model, query, diagnostics))),
      session);
}

std::string textOf(const SimplifyOptions &options) {
  std::string text = options.finalTables ? "final tables" : "nothing final";
  text += options.finalEvidence ? ", final evidence" : "";
  for (const std::string &name : options.offPasses)
    text += " without " + name;
  return text;
}

constexpr QueryKind kKinds[] = {QueryKind::Evidence,  QueryKind::Expression, QueryKind::Joint,
                                QueryKind::Marginals, QueryKind::Mpe,        QueryKind::Optimum};

/// Sets entries of costs that are maximised, and of logs, to minus infinity, their zero.
void useZeroOf(const Query &query, Model &model) {
  if (query.combine == Combine::Times || query.reductions.empty() ||
      query.reductions.front().reduce == Reduce::Min)
    return;
  for (Factor &factor : model.factors) {
    std::vector<double> values = *factor.values;
    for (double &value : values)
      value = value == 0 ? -kInfinity : value;
    factor.values = std::make_shared<const std::vector<double>>(std::move(values));
  }
}

/// Returns options with all passes on, or with one of them off.
SimplifyOptions optionsNumber(size_t number) {
  SimplifyOptions options{true, true, {}};
  const auto &passes = simplifyPasses();
  if (number % 2 == 1)
    options.offPasses.emplace_back(passes[number / 2 % passes.size()].name);
  return options;
}

class Answers : public testing::TestWithParam<uint32_t> {};

TEST_P(Answers, OfEveryKindOfQuery) {
  std::mt19937_64 random(GetParam());
  oracle::RandomModelOptions shape;
  shape.observedShare = 0.2;
  for (int i = 0; i < trials(250) && !HasFatalFailure(); ++i) {
    const Model drawn = oracle::structuredModel(random, shape);
    for (const QueryKind kind : kKinds) {
      Model model = drawn;
      Query query = oracle::randomQuery(random, model, kind);
      oracle::askSome(random, model, query);
      useZeroOf(query, model);
      const SimplifyOptions options = optionsNumber(static_cast<size_t>(random() % 64));
      SCOPED_TRACE(fmt::format("model {} query kind {} {} {}", i, static_cast<int>(kind),
                               semiringName(checkedSemiring(model, query)), textOf(options)));
      compare(model, query, sessionOf(model, query, options).run());
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, Answers, testing::Values(1, 2, 3, 4));

/// A chain of constraints through which one observation decides much.
TEST(SimplifyAnswers, SparseModels) {
  std::mt19937_64 random(11);
  oracle::RandomModelOptions shape;
  shape.zeroShare = 0.5;
  shape.maxArity = 3;
  for (int i = 0; i < trials(400) && !HasFatalFailure(); ++i) {
    const Model model = oracle::structuredModel(random, shape);
    for (const QueryKind kind : kKinds) {
      if (traitsOf(kind).isExpression())
        continue;
      const Query query = oracle::randomQuery(random, model, kind);
      SCOPED_TRACE(fmt::format("model {} query kind {}", i, static_cast<int>(kind)));
      compare(model, query, sessionOf(model, query, optionsNumber(0)).run());
    }
  }
}

/// Evidence whose states change, and a factor that is bound later, stay open.
TEST(SimplifyAnswers, SessionsChangeWhatIsNotFinal) {
  std::mt19937_64 random(12);
  for (int i = 0; i < trials(300) && !HasFatalFailure(); ++i) {
    Model model = oracle::structuredModel(random, {});
    const QueryKind kind = kKinds[random() % 5];
    const Query query = oracle::randomQuery(random, model, kind);
    if (query.factors.empty() || query.combine == Combine::Plus)
      continue;
    Model open = model;
    Factor &input = open.factors[query.factors[random() % query.factors.size()].index()];
    input.values = nullptr;
    SimplifyOptions options = optionsNumber(static_cast<size_t>(random() % 64));
    options.finalEvidence = false;
    SCOPED_TRACE(
        fmt::format("model {} query kind {} {}", i, static_cast<int>(kind), textOf(options)));
    Session session = sessionOf(open, query, options);
    for (int run = 0; run < 3 && !HasFatalFailure(); ++run) {
      for (const Finding &finding : model.evidence.findings) {
        const Variable &variable = model.variable(finding.variable);
        const auto state = static_cast<uint32_t>(random() % variable.extent);
        model.evidence.setState(finding.variable, state);
        session.observe(variable.name, state);
      }
      session.bind(
          input.name,
          *model.factor(FactorId{static_cast<size_t>(&input - open.factors.data())}).values);
      compare(model, query, session.run());
    }
  }
}

/// Sums may have negative terms; zeros are exact zeros then, too.
TEST(SimplifyAnswers, NegativeEntries) {
  std::mt19937_64 random(13);
  for (int i = 0; i < trials(300) && !HasFatalFailure(); ++i) {
    Model model = oracle::structuredModel(random, {});
    for (Factor &factor : model.factors) {
      std::vector<double> values = *factor.values;
      for (double &value : values)
        value = random() % 8 == 0 ? -value : value;
      factor.values = std::make_shared<const std::vector<double>>(std::move(values));
    }
    const Query query = oracle::randomQuery(random, model, QueryKind::Evidence);
    SCOPED_TRACE(fmt::format("model {}", i));
    const oracle::BruteAnswer wanted = oracle::bruteForce(model, query);
    const Result found = sessionOf(model, query, optionsNumber(0)).run();
    ASSERT_NEAR(found.tables.front().at(0).value().value_or(kInfinity),
                static_cast<double>(wanted.tables.begin()->second.values[0]), 1e-9);
  }
}

} // namespace
} // namespace mpf
