#include "tools/mpfc/answers/uai_result.h"

#include "dsl/support/error.h"

#include <gtest/gtest.h>

namespace mpf::driver {
namespace {

Result resultOf(QueryKind kind) {
  Result result;
  result.query = "q";
  result.kind = kind;
  result.variables = {{"rain", 2, {"no", "yes"}}, {"wet", 2, {}}};
  result.evidence.add({{VarId(1), 1}});
  result.tables.emplace_back();
  result.tables.front().entries = {100};
  return result;
}

std::string refusalOf(const Result &result) {
  try {
    return "accepted: " + uaiResultText(result);
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::Usage);
    return error.what();
  }
}

TEST(UaiResult, WritesTheBestOfSeveralAssignmentsLast) {
  Result result = resultOf(QueryKind::Mpe);
  result.assignments = {{{1, 1}}, {{0, 1}}};
  EXPECT_EQ(uaiResultText(result), "MPE\n2 0 1\n-BEGIN-\n2 1 1\n");
  result.assignments.pop_back();
  EXPECT_EQ(uaiResultText(result), "MPE\n2 1 1\n");
}

TEST(UaiResult, IsForKindsThatHaveATask) {
  EXPECT_EQ(uaiResultText(resultOf(QueryKind::Evidence)), "PR\n2\n");
  EXPECT_EQ(uaiResultText(resultOf(QueryKind::Expression)), "PR\n2\n");
  EXPECT_TRUE(refusalOf(resultOf(QueryKind::Joint)).starts_with("query q: -o is for one number"));
  Result negative = resultOf(QueryKind::Expression);
  negative.tables.front().entries = {-1};
  EXPECT_TRUE(refusalOf(negative).starts_with("query q: -o is for one number"));
}

TEST(UaiResult, ObservedVariablesAreCertain) {
  Result result = resultOf(QueryKind::Marginals);
  result.tables.push_back({.name = "rain",
                           .variables = {"rain"},
                           .extents = {2},
                           .normalised = true,
                           .entries = {0.25, 0.75}});
  EXPECT_EQ(uaiResultText(result), "MAR\n2 2 0.25 0.75 2 0 1\n");
}

} // namespace
} // namespace mpf::driver
