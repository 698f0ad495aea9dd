#include "dsl/support/expression/sign_of_expression.h"

#include "dsl/support/expression/evaluate_expression.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace mpf {
namespace {

const Instruction kParam = {OpCode::Param, 0, 0}, kState = {OpCode::State, 0, 0};
Instruction number(double value) { return {OpCode::Constant, 0, value}; }

TEST(SignOfExpression, FormsThatRuleOutValuesBelowZero) {
  EXPECT_TRUE(isNeverNegative(Expression{{kParam, {OpCode::Exp}}}));
  EXPECT_TRUE(isNeverNegative(Expression{{kParam, kState, {OpCode::Subtract}, {OpCode::Abs}}}));
  EXPECT_TRUE(
      isNeverNegative(Expression{{number(0.25), kParam, {OpCode::Exp}, {OpCode::Multiply}}}));
  EXPECT_TRUE(isNeverNegative(Expression{{kParam, number(0), {OpCode::Max}}}));
  EXPECT_TRUE(isNeverNegative(
      Expression{{kParam, number(1), {OpCode::Less}, kState, number(2), {OpCode::Select}}}));
  EXPECT_TRUE(isNeverNegative(Expression{{number(0.5), kParam, {OpCode::Power}}}));
  EXPECT_TRUE(isNeverNegative(Expression{{kParam, number(3), {OpCode::Modulo}}}));
  EXPECT_TRUE(isNeverNegative(Expression{{kState, {OpCode::Floor}, {OpCode::Erf}}}));
}

TEST(SignOfExpression, SquaresAndEvenPowers) {
  const Instruction add = {OpCode::Add}, power = {OpCode::Power}, times = {OpCode::Multiply};
  EXPECT_TRUE(isNeverNegative(Expression{{kParam, number(1), add, number(2), power}}));
  EXPECT_TRUE(isNeverNegative(Expression{{kParam, number(-4), power}}));
  EXPECT_TRUE(isNeverNegative(Expression{{kParam, number(4), {OpCode::Negate}, power}}));
  EXPECT_TRUE(isNeverNegative(Expression{{kParam, kParam, times}}));
  EXPECT_TRUE(isNeverNegative(Expression{{kParam, number(1), add, kParam, number(1), add, times}}));
  EXPECT_FALSE(isNeverNegative(Expression{{kParam, number(3), power}}));
  EXPECT_FALSE(isNeverNegative(Expression{{kParam, number(0.5), power}}));
  EXPECT_FALSE(isNeverNegative(Expression{{kParam, kState, power}}));
  EXPECT_FALSE(isNeverNegative(Expression{{kParam, number(1), add, kParam, times}}));
  EXPECT_FALSE(isNeverNegative(Expression{{kParam, {OpCode::Param, 1, 0}, times}}));
}

TEST(SignOfExpression, OtherForms) {
  EXPECT_FALSE(isNeverNegative(Expression{{kParam}}));
  EXPECT_FALSE(isNeverNegative(Expression{{kParam, {OpCode::Exp}, {OpCode::Negate}}}));
  EXPECT_FALSE(isNeverNegative(Expression{{kParam, {OpCode::Exp}, {OpCode::Log}}}));
  EXPECT_FALSE(isNeverNegative(Expression{{kState, number(1), {OpCode::Subtract}}}));
  EXPECT_FALSE(isNeverNegative(Expression{{number(-0.0)}}));
  EXPECT_FALSE(isNeverNegative(
      Expression{{kParam, number(1), {OpCode::Less}, kState, number(-2), {OpCode::Select}}}));
  EXPECT_FALSE(isNeverNegative(Expression{{number(2), kParam, {OpCode::Min}}}));
  EXPECT_FALSE(isNeverNegative(Expression{{number(2), kParam, {OpCode::Modulo}}}));
  EXPECT_FALSE(isNeverNegative(Expression{{kParam, {OpCode::Exp}, {OpCode::Lgamma}}}));
  EXPECT_FALSE(isNeverNegative(Expression{{kParam, {OpCode::Exp}, {OpCode::Log10}}}));
}

/// Appends a random expression that needs nothing on the stack.
void draw(std::mt19937 &random, int depth, std::vector<Instruction> &code) {
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  if (depth == 0) {
    code.push_back(below(3) == 0   ? kParam
                   : below(2) == 0 ? kState
                                   : number(static_cast<double>(below(5)) - 1));
    return;
  }
  const auto operation = static_cast<OpCode>(
      static_cast<unsigned>(OpCode::Negate) +
      below(static_cast<unsigned>(OpCode::Select) - static_cast<unsigned>(OpCode::Negate) + 1));
  if (isForBuilding(operation))
    return draw(random, depth, code);
  const int operands = operation == OpCode::Select ? 3 : operation < OpCode::Or ? 1 : 2;
  for (int i = 0; i < operands; ++i)
    draw(random, depth - 1, code);
  code.push_back({operation, 0, 0});
}

TEST(SignOfExpression, NoValueContradicts) {
  std::mt19937 random(7);
  ExpressionEvaluator evaluator;
  const std::vector<uint32_t> extents = {4};
  int sure = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    Expression expression;
    draw(random, 1 + trial % 3, expression.code);
    if (!isNeverNegative(expression))
      continue;
    ++sure;
    for (const double param : {-1000.0, -2.0, -0.5, 0.0, 1.0, 3.0, 1000.0}) {
      std::vector<double> values(4);
      const FarValues far =
          evaluator.evaluate(expression, extents, std::vector<double>{param}, 0, values);
      for (const double value : values)
        EXPECT_FALSE(value < 0) << trial << " at " << param;
      for (const FarValue &one : far)
        EXPECT_FALSE(one.value.mantissa < 0) << trial << " at " << param;
    }
  }
  EXPECT_GT(sure, 4000);
}

} // namespace
} // namespace mpf
