// Powers of two that scale one case each.
#include "runtime/engine/tables/case_scale.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

using namespace mpf;

namespace {

TEST(CaseScale, TheGreatestMagnitudeIsAtLeastOneAndLessThanTwo) {
  std::vector<double> entries = {0x1p-700, -0x1.8p-698, 0};
  EXPECT_EQ(scaleDown(entries), -698);
  EXPECT_EQ(entries, (std::vector<double>{0x1p-2, -0x1.8p0, 0}));
}

TEST(CaseScale, NoEntryLeavesTheRangeOfNormalNumbers) {
  std::vector<double> entries = {0x1p900, 0x1p-900};
  const int32_t exponent = scaleDown(entries);
  EXPECT_EQ(exponent, 100);
  EXPECT_EQ(entries, (std::vector<double>{0x1p800, 0x1p-1000}));
}

TEST(CaseScale, AHugeEntryBesideOneThatIsNotNormalStays) {
  const std::vector<double> given = {0x1p1000, 0x1p-1074};
  std::vector<double> entries = given;
  EXPECT_EQ(scaleDown(entries), 0);
  EXPECT_EQ(entries, given);
  std::vector<double> tiny = {0x1p-1070, 0x1p-1074};
  EXPECT_EQ(scaleDown(tiny), -1070);
  EXPECT_EQ(tiny, (std::vector<double>{1, 0x1p-4}));
}

TEST(CaseScale, ZerosAndWhatIsNotFiniteStay) {
  std::vector<double> zeros = {0, 0};
  EXPECT_EQ(scaleDown(zeros), 0);
  std::vector<double> infinite = {4, std::numeric_limits<double>::infinity()};
  EXPECT_EQ(scaleDown(infinite), 0);
  EXPECT_EQ(infinite[0], 4);
}

TEST(CaseScale, IsTakenOutOfAnswersThatAreNoFractions) {
  CaseAnswers answers;
  answers.count = 2;
  answers.tables.resize(2);
  answers.tables[1].normalised = true;
  for (CaseTable &table : answers.tables) {
    table.entries = {1, 1};
    table.exponents = {0, 3};
  }
  answers.tables[0].farApart[1] = {{1.5, -4000}};
  const std::vector<int32_t> exponents = {5};
  scaleUp(exponents, std::vector<uint32_t>{1}, answers);
  EXPECT_EQ(answers.tables[0].exponents, (std::vector<int32_t>{0, 8}));
  EXPECT_EQ(answers.tables[0].farApart[1][0].exponent, -3995);
  EXPECT_EQ(answers.tables[1].exponents, (std::vector<int32_t>{0, 3}));
}

} // namespace
