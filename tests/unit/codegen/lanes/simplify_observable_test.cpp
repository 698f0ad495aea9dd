// Tests that inputs set by cases stay as they are, the rest is simplified, and constants stay
// factors.
#include "codegen/lanes/simplify_observable.h"

#include "dsl/support/scaled_number.h"
#include "tests/unit/dsl/formats/three_variables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace mpf {
namespace {

TableValues table(std::vector<double> values) {
  return std::make_shared<const std::vector<double>>(std::move(values));
}

/// a - b - c in a row; c is b but for its name.
Model chainModel() {
  Model model;
  model.name = "chain";
  for (const char *name : {"a", "b", "c"})
    model.variables.push_back({name, 2, {}});
  model.factors = {{"P(a)", "P(a)", {VarId{0u}}, table({0.25, 0.75}), false},
                   {"P(b)", "P(b)", {VarId{0u}, VarId{1u}}, table({0.5, 0.5, 0.125, 0.875}), false},
                   {"P(c)", "P(c)", {VarId{1u}, VarId{2u}}, table({1, 0, 0, 1}), false}};
  model.queries = {shortQuery(model, QueryKind::Evidence)};
  return model;
}

SimplifyOptions allFinal() {
  SimplifyOptions options;
  options.finalTables = options.finalEvidence = true;
  return options;
}

TEST(SimplifyObservable, KeepsWhatCasesObserve) {
  const Model model = chainModel();
  CaseSchema schema;
  schema.observed = {{VarId{0u}, 2}};
  const ObservableModel asked = observableModel(model, model.queries.front(), schema);
  const auto made = simplifyObservable(asked, allFinal());
  ASSERT_TRUE(made);
  ASSERT_EQ(made->indicators.size(), 1u);
  const Factor &indicator = made->model.factor(made->indicators.front());
  EXPECT_EQ(indicator.values, nullptr);
  EXPECT_EQ(indicator.scope, std::vector{VarId{0u}});
  EXPECT_EQ(made->model.variable(VarId{0u}).extent, 2u);
  EXPECT_LT(made->model.factors.size(), asked.model.factors.size()); // b and c are barren
}

/// c is seen through b, which it is a renaming of: swapped states.
TEST(SimplifyObservable, PassesIndicatorsOnToArgumentsOfFunctions) {
  Model model = chainModel();
  model.factors.back().values = table({0, 1, 1, 0});
  CaseSchema schema;
  schema.observed = {{VarId{1u}, 2}, {VarId{2u}, 2}};
  const auto made =
      simplifyObservable(observableModel(model, model.queries.front(), schema), allFinal());
  ASSERT_TRUE(made);
  const Factor &indicator = made->model.factor(made->indicators.back());
  EXPECT_EQ(indicator.name, "observed(c)");
  EXPECT_EQ(indicator.scope, std::vector{VarId{1u}});
  EXPECT_EQ(made->indicated, (std::vector<std::vector<uint32_t>>{{}, {1, 0}}));
  for (const Factor &factor : made->model.factors)
    EXPECT_EQ(std::ranges::count(factor.scope, VarId{2u}), 0) << factor.name;
}

/// An answer that has c, or its state, or a likelihood on it, keeps it.
TEST(SimplifyObservable, KeepsFunctionsThatAnswersOrLikelihoodsHave) {
  Model model = chainModel();
  CaseSchema schema;
  schema.observed = {{VarId{2u}, 2}};
  const auto keepsC = [&](const Query &query) {
    const auto made = simplifyObservable(observableModel(model, query, schema), allFinal());
    return !made || made->indicated.front().empty();
  };
  EXPECT_FALSE(keepsC(model.queries.front()));
  EXPECT_TRUE(keepsC(shortQuery(model, QueryKind::Mpe)));
  schema.likelihoods = {{VarId{2u}, 2}};
  EXPECT_TRUE(keepsC(model.queries.front()));
}

/// 2^-700 * 2^-700, which no double holds.
TEST(SimplifyObservable, KeepsConstantsAsFactors) {
  Model model = chainModel();
  const double tiny = 0x1p-700;
  model.factors.push_back({"f", "f", {}, table({1.5 * tiny}), false});
  model.factors.push_back({"g", "g", {}, table({tiny}), false});
  model.queries = {shortQuery(model, QueryKind::Evidence)};
  CaseSchema schema;
  schema.observed = {{VarId{0u}, 2}};
  const auto made =
      simplifyObservable(observableModel(model, model.queries.front(), schema), allFinal());
  ASSERT_TRUE(made);
  ScaledNumber product{1, 0};
  for (const FactorId id : made->query.factors)
    if (const Factor &factor = made->model.factor(id); factor.values && factor.scope.empty()) {
      EXPECT_GE(factor.values->front(), 0x1p-100);
      product = product * ScaledNumber::fromValue(factor.values->front());
    }
  EXPECT_EQ(product.exponent, -1400);
  EXPECT_EQ(product.mantissa, 1.5);
}

TEST(SimplifyObservable, LeavesWhatWouldHaveToBeRestored) {
  Model model = chainModel();
  model.queries = {shortQuery(model, QueryKind::Marginals)};
  CaseSchema schema;
  schema.observed = {{VarId{0u}, 2}};
  EXPECT_FALSE(
      simplifyObservable(observableModel(model, model.queries.front(), schema), allFinal()));
  EXPECT_FALSE(simplifyObservable(
      observableModel(chainModel(), chainModel().queries.front(), schema), SimplifyOptions()));
}

} // namespace
} // namespace mpf
