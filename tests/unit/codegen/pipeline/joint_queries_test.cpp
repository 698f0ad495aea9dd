// Joint and conditional posteriors of random models by one program, against exhaustive enumeration
// and against programs of their own.
#include "codegen/pipeline/joint_queries.h"

#include "runtime/api/session.h"
#include "runtime/result/separate_results.h"
#include "tests/oracle/brute/model_brute_force.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/structured_models.h"
#include "tests/support/trials.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>

namespace mpf {
namespace {

Result resultOf(Bundle bundle) {
  SessionOptions options;
  options.device = "cpu";
  options.threads = 1;
  return Session(Program(std::make_shared<const Bundle>(std::move(bundle))), options).run();
}

std::vector<Query> drawnQueries(std::mt19937_64 &random, const Model &model) {
  std::vector<Query> queries;
  for (size_t i = 0; i < 2 + random() % 5; ++i) {
    queries.push_back(oracle::randomQuery(random, model, QueryKind::Joint));
    queries.back().name = fmt::format("q{}", i);
    if (const size_t count = queries.back().output.size(); count > 1)
      queries.back().rowVariables = static_cast<uint32_t>(random() % count);
  }
  return queries;
}

std::vector<const Query *> pointersTo(const std::vector<Query> &queries) {
  std::vector<const Query *> members;
  for (const Query &query : queries)
    members.push_back(&query);
  return members;
}

/// Expects both tables to be empty, or the values to be equal within 1e-12.
void expectEqual(const ResultTable &found, const ResultTable &wanted) {
  EXPECT_EQ(found.name, wanted.name);
  EXPECT_EQ(found.variables, wanted.variables);
  ASSERT_EQ(found.entries.size(), wanted.entries.size()) << found.name;
  for (size_t i = 0; i < found.entries.size(); ++i)
    ASSERT_NEAR(found.at(i).value().value_or(-1), wanted.at(i).value().value_or(-2), 1e-12)
        << found.name << "[" << i << "]";
}

/// Divides each row of a joint posterior by its sum; rows of zeros stay.
void divide(oracle::BruteTable &table, const Model &model, size_t rowVariables) {
  size_t count = 1;
  for (size_t axis = rowVariables; axis < table.scope.size(); ++axis)
    count *= model.variable(table.scope[axis]).extent;
  for (size_t at = 0; rowVariables != 0 && at < table.values.size(); at += count) {
    long double sum = 0;
    for (size_t i = at; i < at + count; ++i)
      sum += table.values[i];
    for (size_t i = at; i < at + count && sum != 0; ++i)
      table.values[i] /= sum;
  }
}

void expectDefinition(const Model &model, const Query &query, const Result &found) {
  oracle::BruteTable wanted = oracle::bruteForce(model, query).tables.at(query.name);
  const ResultTable &table = found.tables.front();
  uint32_t open = 0;
  for (size_t i = 0; i < query.rowVariables; ++i)
    open += !model.evidence.observes(query.output[i]);
  EXPECT_EQ(table.rowVariables, open);
  divide(wanted, model, open);
  if (table.entries.empty()) {
    ASSERT_TRUE(found.zeroProbability);
    ASSERT_TRUE(std::isnan(wanted.values.front()) || wanted.values.front() == 0);
    return;
  }
  ASSERT_EQ(table.entries.size(), wanted.values.size());
  for (size_t i = 0; i < table.entries.size(); ++i)
    ASSERT_NEAR(table.at(i).value().value_or(-1), static_cast<double>(wanted.values[i]), 1e-12)
        << query.name << "[" << i << "]";
}

void expectJoined(const Model &model, const std::vector<Query> &queries,
                  const SimplifyOptions &simplify) {
  PipelineOptions options;
  options.simplify = simplify;
  const Pipeline pipeline(options);
  Diagnostics diagnostics;
  const std::vector<Result> found = separateResults(
      resultOf(pipeline.compile(model, joinedQuery(pointersTo(queries)), diagnostics)));
  ASSERT_EQ(found.size(), queries.size());
  for (size_t i = 0; i < queries.size(); ++i) {
    ASSERT_EQ(found[i].query, queries[i].name);
    ASSERT_EQ(found[i].kind, QueryKind::Joint);
    ASSERT_EQ(found[i].tables.size(), 1);
    expectDefinition(model, queries[i], found[i]);
    const Result apart = resultOf(pipeline.compile(model, queries[i], diagnostics));
    EXPECT_EQ(found[i].zeroProbability, apart.zeroProbability);
    expectEqual(found[i].tables.front(), apart.tables.front());
  }
}

class JointQueries : public testing::TestWithParam<uint32_t> {};

TEST_P(JointQueries, AnswerAsTheDefinitionAndAsQueriesApart) {
  std::mt19937_64 random(GetParam());
  for (int i = 0; i < trials(150) && !HasFatalFailure(); ++i) {
    SCOPED_TRACE(fmt::format("model {}", i));
    const Model model = i % 2 == 0 ? oracle::randomModel(random, {.zeroShare = i % 4 ? 0.3 : 0.1})
                                   : oracle::structuredModel(random, {});
    const SimplifyOptions simplify{i % 3 != 0, i % 3 == 1, {}};
    expectJoined(model, drawnQueries(random, model), simplify);
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, JointQueries, testing::Values(1, 2, 3));

/// Returns a chain x[0] - x[1] - ... of variables of three states.
Model chain(size_t length) {
  Model model;
  std::mt19937_64 random(7);
  for (size_t i = 0; i < length; ++i) {
    model.variables.push_back({fmt::format("x[{}]", i), 3, {}});
    std::vector<double> values(i == 0 ? 3 : 9);
    for (double &value : values)
      value = 0.1 + oracle::unit(random);
    const std::string name = fmt::format("f{}", i);
    model.factors.push_back({name, name,
                             i == 0 ? std::vector{VarId{0}} : std::vector{VarId{i - 1}, VarId{i}},
                             std::make_shared<const std::vector<double>>(values)});
  }
  return model;
}

std::vector<Bundle> bundlesOf(const Model &model, const std::vector<Query> &queries,
                              uint64_t maxMemoryBytes = UINT64_MAX) {
  QueryPolicy policy;
  policy.settings.purpose = Purpose::OneRun;
  policy.settings.maxMemoryBytes = maxMemoryBytes;
  std::vector<Bundle> bundles;
  compileJoined(model, queries, policy,
                [&bundles](Bundle bundle) { bundles.push_back(std::move(bundle)); });
  return bundles;
}

TEST(JointQueries, PairsOfAChainAreOnePassUpAndOneDown) {
  const Model model = chain(40);
  std::vector<Query> queries;
  for (size_t i = 0; i + 1 < 40; ++i)
    queries.push_back(shortQuery(model, QueryKind::Joint, {VarId{i}, VarId{i + 1}}));
  const std::vector<Bundle> bundles = bundlesOf(model, queries);
  ASSERT_EQ(bundles.size(), 1);
  EXPECT_EQ(bundles[0].outputs.size(), 40); // the evidence, too
  const size_t most =
      bundlesOf(model, {shortQuery(model, QueryKind::Marginals)})[0].operations.size();
  EXPECT_LE(bundles[0].operations.size(), 2 * most);
}

TEST(JointQueries, OtherConditionsTypesAndKindsStayApart) {
  const Model model = chain(5);
  std::vector<Query> queries;
  for (size_t i = 0; i < 4; ++i)
    queries.push_back(shortQuery(model, QueryKind::Joint, {VarId{i}}));
  queries[1].given = {{VarId{4}, 1}};
  queries[2].type = ElementType::F32;
  queries.push_back(shortQuery(model, QueryKind::Evidence));
  const std::vector<Bundle> bundles = bundlesOf(model, queries);
  ASSERT_EQ(bundles.size(), 4);
  EXPECT_EQ(bundles[0].kind, QueryKind::Joints);
  EXPECT_EQ(bundles[0].outputs[1].name, "P(x[0])");
  EXPECT_EQ(bundles[0].outputs[2].name, "P(x[3])");
  EXPECT_EQ(bundles[1].name, "P(x[1])");
}

/// All pairs of a long chain need a tree over all variables at once. Only neighbours are joined.
TEST(JointQueries, QueriesThatWidenTheTreeStayApart) {
  constexpr size_t kLength = 24; // in shorter chains a tree over all variables is cheap
  const Model model = chain(kLength);
  std::vector<Query> queries;
  for (size_t i = 0; i < kLength; ++i)
    for (size_t j = 0; j < i; ++j)
      queries.push_back(shortQuery(model, QueryKind::Joint, {VarId{j}, VarId{i}}));
  const std::vector<Bundle> bundles = bundlesOf(model, queries);
  ASSERT_EQ(bundles.size(), 1 + kLength * (kLength - 1) / 2 - (kLength - 1));
  EXPECT_EQ(bundles[0].kind, QueryKind::Joints);
  EXPECT_EQ(bundles[0].outputs.size(), 1 + (kLength - 1));
}

TEST(JointQueries, QueriesWhoseProgramExceedsTheMemoryStayApart) {
  const Model model = chain(60);
  std::vector<Query> queries;
  for (size_t i = 0; i + 1 < 60; ++i)
    queries.push_back(shortQuery(model, QueryKind::Joint, {VarId{i}, VarId{i + 1}}));
  const std::vector<Bundle> apart = bundlesOf(model, queries, 8192);
  EXPECT_EQ(apart.size(), queries.size());
}

} // namespace
} // namespace mpf
