#include "dsl/formats/cases/columns/state_name.h"

#include "dsl/formats/cases/columns/case_header.h"
#include "tests/support/time_of.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(StateNames, LabelsNumbersAndBackquotes) {
  Model model;
  model.variables = {{"a", 2, {"no", "yes"}}, {"n", 2, {"1", "2"}}, {"p", 3, {}}};
  StateNames names(model, NumberReading::Both);
  std::string problem;
  for (int pass = 0; pass < 2; ++pass) { // the second one knows the labels
    EXPECT_EQ(names.find(VarId(0), "yes", problem), 1U);
    EXPECT_EQ(names.find(VarId(1), "`2`", problem), 1U);
    EXPECT_EQ(names.find(VarId(2), "2", problem), 2U);
    EXPECT_EQ(problem, "");
    EXPECT_EQ(names.find(VarId(1), "1", problem), std::nullopt);
    EXPECT_NE(problem.find("is the label of state 0"), std::string::npos) << problem;
    EXPECT_EQ(names.find(VarId(2), "3", problem), std::nullopt);
    problem.clear();
  }
}

/// Each state has a column.
TEST(StateNames, TakeTimeLinearInTheStates) {
  constexpr uint32_t kStates = 60000;
  Model model;
  model.variables = {{"x", kStates, {}}};
  std::vector<ColumnName> columns;
  for (uint32_t state = 0; state < kStates; ++state) {
    model.variables[0].labels.push_back("-" + std::to_string(state) + ".5");
    columns.push_back({"x=" + model.variables[0].labels.back(), {}});
  }
  Diagnostics diagnostics;
  std::optional<CaseHeader> header;
  ColumnChoice choice;
  choice.numbers = NumberReading::Label;
  const double seconds =
      secondsOf([&] { header = resolveCaseHeader(columns, model, choice, diagnostics); });
  ASSERT_TRUE(header) << renderDiagnostics(diagnostics);
  EXPECT_EQ(header->columns.back().index, kStates - 1);
  EXPECT_LT(seconds, kMostLinearSeconds);
}

} // namespace
} // namespace mpf
