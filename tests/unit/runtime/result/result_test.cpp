// Numbers beyond double, and the two text forms of a result.
#include "runtime/result/compare.h"
#include "runtime/result/print_result.h"
#include "runtime/result/result_json.h"
#include "tests/support/trials.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace mpf {
namespace {

TEST(ScaledNumber, LogsOfNumbersNoDoubleHolds) {
  const ScaledNumber tiny = ScaledNumber::fromValue(0.75, -5000);
  EXPECT_FALSE(tiny.value().has_value());
  EXPECT_NEAR(tiny.log2(), -5000 + std::log2(0.75), 1e-9);
  EXPECT_NEAR(tiny.log10(), tiny.log2() * std::log10(2.0), 1e-9);
  EXPECT_EQ(ScaledNumber::fromValue(-12.5).value(), -12.5);
  EXPECT_EQ(ScaledNumber::fromValue(0).sign(), 0);
  EXPECT_EQ(ScaledNumber::fromLog2(-INFINITY).value(), 0.0);
  EXPECT_EQ(ScaledNumber::fromLog2(3, 1, -1).value(), -16.0);
}

Result sampleResult() {
  Result result;
  result.query = "P(rain)";
  result.kind = QueryKind::Joint;
  result.variables = {{"rain", 2, {"no", "yes"}}, {"wet", 2, {}}};
  result.evidence.add({{VarId(1), 1}});
  ResultTable table;
  table.name = "P(rain)";
  table.variables = {"rain"};
  table.extents = {2};
  table.entries = {0.25, 0.75};
  result.tables = {table};
  return result;
}

TEST(Result, PrintsLabels) {
  EXPECT_EQ(printResult(sampleResult()), "P(rain):  rain=no 0.25  rain=yes 0.75\n");
}

/// A search through all variables for each posterior would take minutes.
TEST(Result, PrintsAsManyPosteriorsAsThereAreVariables) {
  constexpr size_t kVariables = trials(300'000u);
  Result result;
  result.kind = QueryKind::Marginals;
  for (size_t i = 0; i < kVariables; ++i) {
    ResultTable table = sampleResult().tables[0];
    table.name = "node" + std::to_string(i);
    table.variables = {table.name};
    result.variables.push_back({table.name, 2, {"no", "yes"}});
    result.tables.push_back(std::move(table));
  }
  const std::string text = printResult(result);
  const std::string last = "node" + std::to_string(kVariables - 1);
  EXPECT_TRUE(text.ends_with("\n" + last + ":  " + last + "=no 0.25  " + last + "=yes 0.75\n"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), ptrdiff_t(kVariables));
}

TEST(Result, JsonHoldsLogsWhereADoubleDoesNot) {
  Result result = sampleResult();
  EXPECT_NE(resultToJson(result).find("\"values\""), std::string::npos);
  EXPECT_NE(resultToJson(result).find("\"wet\": 1"), std::string::npos) << "what was observed";
  result.tables[0].exponent = -4000;
  EXPECT_NE(resultToJson(result).find("\"log10_values\""), std::string::npos);
}

/// The rounding of 1 does not depend on the length of a run, or on its type.
TEST(Result, ANumberThatRoundingDoesNotTellFromOneIsOne) {
  Result result;
  result.kind = QueryKind::Evidence;
  result.element = "f32";
  result.operationsInAll = 20000;
  ResultTable table;
  table.name = "evidence";
  for (const double value : {1 - 0x1p-53, 1 + 0x1p-52}) {
    table.entries = {value};
    result.tables = {table};
    EXPECT_EQ(printResult(result), "evidence: 1 (log10 0, ln 0)\n");
  }
  table.entries = {1 - 0x1p-45};
  result.tables = {table};
  EXPECT_NE(printResult(result).find("ln -2.84"), std::string::npos) << printResult(result);
}

TEST(ResultJson, TablesHaveTheLabelsOfTheirVariables) {
  Result result = sampleResult();
  result.tables[0].variables = {"wet", "rain"};
  result.tables[0].extents = {2, 2};
  result.tables[0].entries = {0.1, 0.2, 0.3, 0.4};
  EXPECT_EQ(nlohmann::json::parse(resultToJson(result))["tables"][0]["labels"],
            nlohmann::json({nullptr, {"no", "yes"}}));
}

/// Returns a result like that of a query for several assignments.
Result sampleOfAssignments(size_t count) {
  Result result = sampleResult();
  result.kind = QueryKind::Mpe;
  result.tables.clear();
  result.assignments = {{{1, 1}}, {{0, 1}}};
  result.assignments.resize(count);
  return result;
}

TEST(Result, PrintsAssignmentsInOrder) {
  EXPECT_EQ(printResult(sampleOfAssignments(1)), "best assignment: rain=yes wet=1\n");
  EXPECT_EQ(printResult(sampleOfAssignments(2)),
            "best assignment 1: rain=yes wet=1\nbest assignment 2: rain=no wet=1\n");
}

TEST(Result, JsonHoldsTheFirstAssignmentAndAllOfSeveral) {
  const auto one = nlohmann::json::parse(resultToJson(sampleOfAssignments(1)));
  EXPECT_EQ(one["assignment"], (nlohmann::json{{"rain", "yes"}, {"wet", 1}}));
  EXPECT_FALSE(one.contains("assignments"));
  const auto two = nlohmann::json::parse(resultToJson(sampleOfAssignments(2)));
  EXPECT_EQ(two["assignment"], one["assignment"]);
  ASSERT_EQ(two["assignments"].size(), 2u);
  EXPECT_EQ(two["assignments"][0], one["assignment"]);
  EXPECT_EQ(two["assignments"][1], (nlohmann::json{{"rain", "no"}, {"wet", 1}}));
  EXPECT_FALSE(nlohmann::json::parse(resultToJson(sampleResult())).contains("assignment"));
}

/// A model without variables has one assignment, which is empty.
TEST(ResultJson, AnAssignmentOfNoVariablesIsNotNone) {
  Result result = sampleResult();
  result.assignments = {ResultAssignment{}};
  EXPECT_TRUE(nlohmann::json::parse(resultToJson(result))["assignment"].is_null());
  result.variables.clear();
  result.evidence = {};
  EXPECT_EQ(nlohmann::json::parse(resultToJson(result))["assignment"], nlohmann::json::object());
}

/// A time quadratic in 300,000 variables would be above a minute; a linear one is below a second.
TEST(ResultJson, TakesTimeLinearInTheVariables) {
  constexpr size_t kVariables = trials(300000);
  Result result = sampleResult();
  result.variables.clear();
  std::vector<Observation> observed;
  ResultAssignment best;
  for (size_t i = 0; i < kVariables; ++i) {
    result.variables.push_back({"variable_" + std::to_string(i), 2, {}});
    best.states.push_back(i % 2);
    if (i % 2 == 0)
      observed.push_back({VarId(i), 1});
  }
  result.evidence = {};
  result.evidence.add(observed);
  result.assignments = {best};
  const auto start = std::chrono::steady_clock::now();
  const std::string text = resultToJson(result);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  const nlohmann::json json = nlohmann::json::parse(text);
  EXPECT_EQ(json["assignment"].size(), kVariables);
  EXPECT_EQ(json["observed"].size(), kVariables / 2);
  EXPECT_EQ(json["assignment"]["variable_" + std::to_string(kVariables - 1)], 1);
}

TEST(Compare, LogsRelativeAboveOneAbsoluteBelow) {
  EXPECT_TRUE(closeLogs(-1000.0000005, -1000, 1e-9));
  EXPECT_FALSE(closeLogs(-1000.000002, -1000, 1e-9));
  EXPECT_FALSE(closeLogs(NAN, 0, 1));
  EXPECT_TRUE(closeLogs(-INFINITY, -INFINITY, 0));
}

} // namespace
} // namespace mpf
