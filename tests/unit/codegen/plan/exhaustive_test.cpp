// All factor graphs of up to 3 variables with extents 1 to 3: every set of scopes, every query.
#include "codegen/plan/build_program.h"
#include "codegen/plan/program/verify_program.h"
#include "tests/oracle/brute/evaluate_program.h"
#include "tests/oracle/brute/model_brute_force.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace mpf;

namespace {

/// Returns a model of variables with the given extents, and one factor for each set bit of
/// `scopes`. Bit s is the factor over the variables in the set s. Values are small and whole, so
/// every result is exact.
Model graphModel(const std::vector<uint32_t> &extents, uint32_t scopes) {
  Model model;
  for (size_t i = 0; i < extents.size(); ++i)
    model.variables.push_back({std::string(1, static_cast<char>('a' + i)), extents[i], {}});
  for (uint32_t set = 0; set < (1u << extents.size()); ++set) {
    if (!(scopes >> set & 1))
      continue;
    Factor factor;
    factor.name = factor.family = fmt::format("f{}", set);
    for (size_t i = 0; i < extents.size(); ++i)
      if (set >> i & 1)
        factor.scope.push_back(VarId{i});
    std::vector<double> values;
    for (uint64_t k = 0; k < scopeElems(model, factor.scope); ++k)
      values.push_back(static_cast<double>((set * 7 + k * 5) % 11));
    factor.values = std::make_shared<const std::vector<double>>(std::move(values));
    model.factors.push_back(std::move(factor));
  }
  return model;
}

void check(const Model &model, const Query &query) {
  Diagnostics diagnostics;
  const TableProgram program = buildProgram(model, query, {}, diagnostics);
  ASSERT_FALSE(verifyProgram(program)) << *verifyProgram(program);
  const auto expected = oracle::bruteForce(model, query);
  const auto actual = oracle::evaluateProgram(model, program);
  const auto evidence = expected.tables.find("evidence");
  const bool impossible = query.kind == QueryKind::Marginals && evidence->second.values.at(0) == 0;
  for (const auto &[name, table] : expected.tables) {
    const auto &values = actual.outputs.at(name);
    ASSERT_EQ(values.size(), table.values.size());
    for (size_t i = 0; i < values.size() && !(impossible && name != "evidence"); ++i)
      ASSERT_TRUE(
          values[i] == table.values[i] || (std::isnan(values[i]) && std::isnan(table.values[i])) ||
          (query.kind != QueryKind::Evidence && std::abs(values[i] - table.values[i]) < 1e-15L))
          << name << "[" << i << "]";
  }
  if (query.kind == QueryKind::Mpe) {
    ASSERT_EQ(oracle::productAt(model, query, actual.assignment), expected.best);
  }
}

Query queryOf(const Model &model, QueryKind kind, uint32_t outputSet) {
  Query query;
  query.name = "q";
  query.kind = kind;
  for (size_t i = 0; i < model.factors.size(); ++i)
    query.factors.push_back(FactorId{i});
  QueryReduction rest{Reduce::Sum, {}};
  for (size_t i = 0; i < model.variables.size(); ++i)
    (outputSet >> i & 1 ? query.output : rest.variables).push_back(VarId{i});
  std::reverse(query.output.begin(), query.output.end());
  if (kind == QueryKind::Expression)
    query.reductions.push_back(std::move(rest));
  return query;
}

TEST(PlanExhaustive, AllGraphsOfThreeVariables) {
  size_t models = 0;
  for (size_t count = 1; count <= 3; ++count)
    for (uint32_t code = 0; code < std::pow(3, count) && !HasFatalFailure(); ++code) {
      std::vector<uint32_t> extents;
      for (uint32_t rest = code; extents.size() < count; rest /= 3)
        extents.push_back(rest % 3 + 1);
      for (uint32_t scopes = 0; scopes < 1u << (1u << count) && !HasFatalFailure(); ++scopes) {
        const Model model = graphModel(extents, scopes);
        SCOPED_TRACE(fmt::format("extents {} scopes {:#x}", code, scopes));
        check(model, queryOf(model, QueryKind::Evidence, 0));
        check(model, queryOf(model, QueryKind::Marginals, 0));
        check(model, queryOf(model, QueryKind::Mpe, 0));
        for (uint32_t output = 0; output < 1u << count; ++output)
          check(model, queryOf(model, QueryKind::Expression, output));
        ++models;
      }
    }
  EXPECT_EQ(models, 3u * 4 + 9 * 16 + 27 * 256);
}

} // namespace
