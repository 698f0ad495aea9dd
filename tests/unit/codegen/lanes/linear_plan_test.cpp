#include "codegen/bundle/lanes/linear_plan.h"

#include "tests/unit/codegen/lanes/lane_programs.h"

#include <cmath>
#include <gtest/gtest.h>

namespace mpf {
namespace {

/// A product of tables with entries 1 and 2^least, one after the other: m(i) = m(i - 1) f(i).
LaneProgram productOf(int factors, int least) {
  test::LaneProgramBuilder builder;
  std::vector<uint32_t> operands;
  for (int i = 0; i < factors; ++i)
    operands.push_back(builder.values({1, std::ldexp(1.0, least)}));
  uint32_t last = operands[0];
  for (int i = 1; i < factors; ++i) {
    const uint32_t next = builder.message(2);
    builder.multiply(next, {last, operands[static_cast<size_t>(i)]});
    last = next;
  }
  builder.output(last);
  return std::move(builder.program);
}

LinearPlan planOf(const LaneProgram &program, ElementType type) {
  return planLinear(program, test::commonOf(program), type);
}

size_t rescaledOf(const LinearPlan &plan) {
  return static_cast<size_t>(std::count(plan.rescaled.begin(), plan.rescaled.end(), 1));
}

TEST(PlanLinear, EntriesLieOnBothSidesOfOne) {
  const LaneProgram program = productOf(2, -100);
  const LinearPlan plan = planOf(program, ElementType::F64);
  EXPECT_TRUE(plan.possible);
  EXPECT_NEAR(static_cast<double>(plan.scales[0]), -50, 1);
  EXPECT_EQ(plan.scales[2], plan.scales[0] + plan.scales[1]); // the message's
  EXPECT_EQ(rescaledOf(plan), 0u);
}

TEST(PlanLinear, MessagesAreRescaledWhereTheTypeEnds) {
  const LaneProgram program = productOf(8, -60);
  EXPECT_EQ(rescaledOf(planOf(program, ElementType::F64)), 0u); // 488 orders
  const LinearPlan narrow = planOf(program, ElementType::F32);
  EXPECT_TRUE(narrow.possible);
  EXPECT_GT(rescaledOf(narrow), 0u);
  EXPECT_NE(narrow.hasExponent[program.outputs[0].access.table], 0);
  EXPECT_LT(narrow.greatestExponent + 1, 127);
}

TEST(PlanLinear, ATableMayBeTooWideForTheType) {
  const LaneProgram program = productOf(2, -300);
  EXPECT_FALSE(planOf(program, ElementType::F32).possible);
  EXPECT_TRUE(planOf(program, ElementType::F64).possible);
}

/// The exponents of a lane double with each square, until 32 bits do not hold them. Only programs
/// not made by mpf have so many squares.
TEST(PlanLinear, ExponentsOfALaneFitTheirBits) {
  for (const ElementType type : {ElementType::F32, ElementType::F64})
    for (const int squares : {10, 40}) {
      test::LaneProgramBuilder builder;
      uint32_t last = builder.values({1, 0x1p-60});
      for (int i = 0; i < squares; ++i) {
        const uint32_t next = builder.message(2);
        builder.multiply(next, {last, last});
        last = next;
      }
      builder.output(last);
      EXPECT_EQ(planOf(builder.program, type).possible, squares == 10);
    }
}

TEST(PlanLinear, SumsOfBothSignsAreRescaledAsTheyMayCancel) {
  test::LaneProgramBuilder builder;
  const uint32_t values = builder.values({1, -1});
  const uint32_t message = builder.message(1);
  builder.sum(message, values);
  builder.output(message);
  const LinearPlan plan = planOf(builder.program, ElementType::F64);
  EXPECT_TRUE(plan.isSigned);
  EXPECT_NE(plan.rescaled[message], 0);
}

} // namespace
} // namespace mpf
