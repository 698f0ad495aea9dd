#include "dsl/support/expression/sign_of_expression.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace mpf {

namespace {

/// A number on the stack, and the place where its code begins.
struct Operand {
  bool isNeverNegative = false;
  size_t begin = 0;
};

/// Whether the code is an even number.
bool isEven(std::span<const Instruction> code) {
  const bool isNegated = code.size() == 2 && code[1].code == OpCode::Negate;
  return (code.size() == 1 || isNegated) && code[0].code == OpCode::Constant &&
         std::fmod(code[0].value, 2) == 0;
}

} // namespace

bool isNeverNegative(const Expression &expression) {
  const std::span<const Instruction> code = expression.code;
  std::vector<Operand> stack;
  const auto pop = [&stack] {
    const Operand top = stack.back();
    stack.pop_back();
    return top;
  };
  for (size_t at = 0; at < code.size(); ++at) {
    const Instruction &instruction = code[at];
    const auto codeOf = [&](size_t begin, size_t end) { return code.subspan(begin, end - begin); };
    switch (instruction.code) {
    case OpCode::Constant:
      stack.push_back({instruction.value >= 0 && !std::signbit(instruction.value), at});
      break;
    case OpCode::State:
      stack.push_back({true, at});
      break;
    case OpCode::Param:
      stack.push_back({false, at});
      break;
    case OpCode::Negate:
    case OpCode::Log:
    case OpCode::Log2:
    case OpCode::Log10:
    case OpCode::Entry:
    case OpCode::Lgamma:
      stack.back().isNeverNegative = false;
      break;
    case OpCode::Not:
    case OpCode::Exp:
    case OpCode::Sqrt:
    case OpCode::Abs:
      stack.back().isNeverNegative = true;
      break;
    case OpCode::Within: // the operand decides
    case OpCode::Floor:
    case OpCode::Ceil:
    case OpCode::Round:
    case OpCode::Erf:
      break;
    case OpCode::Or:
    case OpCode::And:
    case OpCode::Equal:
    case OpCode::NotEqual:
    case OpCode::Less:
    case OpCode::LessEqual:
    case OpCode::Greater:
    case OpCode::GreaterEqual:
      pop();
      stack.back().isNeverNegative = true;
      break;
    case OpCode::Multiply: {
      const Operand right = pop();
      Operand &left = stack.back();
      const bool isSquare =
          std::ranges::equal(codeOf(left.begin, right.begin), codeOf(right.begin, at));
      left.isNeverNegative = (left.isNeverNegative && right.isNeverNegative) || isSquare;
      break;
    }
    case OpCode::Add:
    case OpCode::Divide:
    case OpCode::Min: {
      const Operand right = pop();
      stack.back().isNeverNegative &= right.isNeverNegative;
      break;
    }
    case OpCode::Max: {
      const Operand right = pop();
      stack.back().isNeverNegative |= right.isNeverNegative;
      break;
    }
    case OpCode::Modulo: { // the divisor decides
      const Operand right = pop();
      stack.back().isNeverNegative = right.isNeverNegative;
      break;
    }
    case OpCode::Power: {
      const Operand right = pop();
      stack.back().isNeverNegative |= isEven(codeOf(right.begin, at));
      break;
    }
    case OpCode::Subtract:
      pop();
      stack.back().isNeverNegative = false;
      break;
    case OpCode::Select: {
      const Operand otherwise = pop(), then = pop();
      stack.back().isNeverNegative = then.isNeverNegative && otherwise.isNeverNegative;
      break;
    }
    }
  }
  MPF_CHECK(stack.size() == 1, "an expression leaves {} values, must leave 1", stack.size());
  return stack.front().isNeverNegative;
}

bool isNeverNegative(const TableFormula &formula) {
  return std::ranges::all_of(
      formula.parts, [](const FormulaPart &part) { return isNeverNegative(part.expression); });
}

} // namespace mpf
