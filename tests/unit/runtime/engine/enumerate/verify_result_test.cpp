// Tests that a wrong answer differs from the enumeration, in each of its parts.
#include "runtime/engine/enumerate/verify_result.h"

#include "dsl/support/error.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace mpf {
namespace {

/// Two variables a, b with the weights 1, 2, 3, 4.
Model smallModel() {
  Model model;
  model.variables = {{.name = "a", .extent = 2}, {.name = "b", .extent = 2}};
  model.factors.push_back(
      {.name = "f",
       .family = "f",
       .scope = {VarId{0}, VarId{1}},
       .values = std::make_shared<const std::vector<double>>(std::vector<double>{1, 2, 3, 4})});
  return model;
}

ResultTable tableOf(std::string name, std::vector<std::string> variables,
                    std::vector<double> entries) {
  ResultTable table;
  table.name = std::move(name);
  table.extents.assign(variables.size(), 2);
  table.variables = std::move(variables);
  table.entries = std::move(entries);
  return table;
}

Result resultOf(const Query &query, std::vector<ResultTable> tables) {
  Result result;
  result.query = query.name;
  result.element = "f64";
  result.tables = std::move(tables);
  return result;
}

std::string faultOf(const Model &model, const Query &query, const Result &result) {
  try {
    const std::optional<VerifiedResult> verified = verifyResult(model, query, result);
    EXPECT_TRUE(verified && verified->states == 4 && verified->leftOut.empty());
    return "";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::Verification);
    return error.what();
  }
}

TEST(VerifyResult, ANumber) {
  const Model model = smallModel();
  const Query query = shortQuery(model, QueryKind::Evidence);
  EXPECT_EQ(faultOf(model, query, resultOf(query, {tableOf("evidence", {}, {10})})), "");
  EXPECT_EQ(faultOf(model, query, resultOf(query, {tableOf("evidence", {}, {10.001})})),
            "query evidence: entry 0 of evidence is 1.250125*2^3, an enumeration of 4 joint states "
            "gives 1.25*2^3");
}

TEST(VerifyResult, Posteriors) {
  const Model model = smallModel();
  const Query query = shortQuery(model, QueryKind::Marginals);
  const auto resultWith = [&](double p) {
    Result result = resultOf(query, {tableOf("evidence", {}, {10}), tableOf("a", {"a"}, {0.3, 0.7}),
                                     tableOf("b", {"b"}, {p, 1 - p})});
    result.tables[1].normalised = result.tables[2].normalised = true;
    return result;
  };
  EXPECT_EQ(faultOf(model, query, resultWith(0.4)), "");
  EXPECT_NE(faultOf(model, query, resultWith(0.41)).find("entry 0 of b"), std::string::npos);
}

/// The rows of P(b | a) sum to 1 each.
TEST(VerifyResult, RowsOfAConditional) {
  const Model model = smallModel();
  Query query = shortQuery(model, QueryKind::Joint, {VarId{0}, VarId{1}});
  query.rowVariables = 1;
  Result result =
      resultOf(query, {tableOf(query.name, {"a", "b"}, {1. / 3, 2. / 3, 3. / 7, 4. / 7})});
  result.tables[0].normalised = true;
  result.tables[0].rowVariables = 1;
  EXPECT_EQ(faultOf(model, query, result), "");
  result.tables[0].entries = {1. / 2, 1. / 2, 3. / 7, 4. / 7};
  EXPECT_NE(faultOf(model, query, result), "");
}

/// Small posteriors are compared relatively.
TEST(VerifyResult, SmallPosteriors) {
  Model model = smallModel();
  model.factors[0].values =
      std::make_shared<const std::vector<double>>(std::vector<double>{1e-20, 0, 1, 0});
  const Query query = shortQuery(model, QueryKind::Joint, {VarId{0}});
  Result result = resultOf(query, {tableOf(query.name, {"a"}, {1e-20, 1})});
  result.tables[0].normalised = true;
  EXPECT_EQ(faultOf(model, query, result), "");
  result.tables[0].entries = {2e-20, 1};
  EXPECT_NE(faultOf(model, query, result), "");
  result.tables[0].entries = {0, 1};
  EXPECT_NE(faultOf(model, query, result), "");
}

/// A cost counts as 0 beside one that is 2^562 times as great.
TEST(VerifyResult, CostsThatVanish) {
  Model model = smallModel();
  model.factors[0].values =
      std::make_shared<const std::vector<double>>(std::vector<double>{1e-300, 1e300, 2, 1e308});
  Query query;
  query.name = "least";
  query.kind = QueryKind::Expression;
  query.reductions = {{Reduce::Min, {VarId{0}, VarId{1}}}};
  query.combine = Combine::Plus;
  query.factors = {FactorId{0}};
  EXPECT_EQ(faultOf(model, query, resultOf(query, {tableOf("least", {}, {0})})), "");
  EXPECT_NE(faultOf(model, query, resultOf(query, {tableOf("least", {}, {1e300})})), "");
}

TEST(VerifyResult, AnAssignmentHasTheBestValue) {
  const Model model = smallModel();
  const Query query = shortQuery(model, QueryKind::Mpe);
  Result result = resultOf(query, {tableOf("best", {}, {4})});
  EXPECT_NE(faultOf(model, query, result).find("finds an assignment"), std::string::npos);
  result.assignments = {{{1, 1}}};
  EXPECT_EQ(faultOf(model, query, result), "");
  result.assignments = {{{0, 1}}};
  EXPECT_NE(faultOf(model, query, result).find("the value of the assignment"), std::string::npos);
}

TEST(VerifyResult, ObservedVariablesAndCounts) {
  Model model = smallModel();
  model.evidence.add({{VarId{0}, 1}});
  Query query = shortQuery(model, QueryKind::Evidence);
  query.type = ElementType::U64;
  Result result = resultOf(query, {tableOf("evidence", {}, {7})});
  result.element = "u64";
  result.tables[0].integerEntries = {7};
  EXPECT_EQ(verifyResult(model, query, result).value().states, 2u);
  result.tables[0].integerEntries = {8};
  EXPECT_THROW(verifyResult(model, query, result), Error);
}

TEST(VerifyResult, LeavesOutWhatMayCancelOrIsTooLarge) {
  Model model = smallModel();
  const Query query = shortQuery(model, QueryKind::Evidence);
  const Result wrong = resultOf(query, {tableOf("evidence", {}, {1})});
  model.factors[0].values =
      std::make_shared<const std::vector<double>>(std::vector<double>{1, -2, 3, 4});
  EXPECT_EQ(verifyResult(model, query, wrong).value().leftOut,
            "factor f has values below 0, so sums may cancel");
  model.factors[0].values = nullptr;
  EXPECT_EQ(verifyResult(model, query, wrong).value().leftOut,
            "factor f has no values in the model");
  const Model grid = test::grid(4, 4);
  EXPECT_FALSE(verifyResult(grid, grid.queries.front(), wrong));
}

} // namespace
} // namespace mpf
