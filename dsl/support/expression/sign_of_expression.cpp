#include "dsl/support/expression/sign_of_expression.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>

namespace mpf {

bool isNeverNegative(const Expression &expression) {
  std::vector<bool> stack; // for each number on the stack: whether it is never negative
  const auto pop = [&stack] {
    const bool top = stack.back();
    stack.pop_back();
    return top;
  };
  for (const Instruction &instruction : expression.code) {
    switch (instruction.code) {
    case OpCode::Constant:
      stack.push_back(instruction.value >= 0 && !std::signbit(instruction.value));
      break;
    case OpCode::State:
      stack.push_back(true);
      break;
    case OpCode::Param:
      stack.push_back(false);
      break;
    case OpCode::Negate:
    case OpCode::Log:
    case OpCode::Log2:
      stack.back() = false;
      break;
    case OpCode::Not:
    case OpCode::Exp:
    case OpCode::Sqrt:
    case OpCode::Abs:
      stack.back() = true;
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
      stack.back() = true;
      break;
    case OpCode::Add:
    case OpCode::Multiply:
    case OpCode::Divide:
    case OpCode::Min: {
      const bool right = pop();
      stack.back() = stack.back() && right;
      break;
    }
    case OpCode::Max: {
      const bool right = pop();
      stack.back() = stack.back() || right;
      break;
    }
    case OpCode::Power: // the base decides
      pop();
      break;
    case OpCode::Subtract:
      pop();
      stack.back() = false;
      break;
    case OpCode::Select: {
      const bool otherwise = pop(), then = pop();
      stack.back() = then && otherwise;
      break;
    }
    }
  }
  MPF_CHECK(stack.size() == 1, "an expression leaves {} values, must leave 1", stack.size());
  return stack.front();
}

bool isNeverNegative(const TableFormula &formula) {
  return std::ranges::all_of(
      formula.parts, [](const FormulaPart &part) { return isNeverNegative(part.expression); });
}

} // namespace mpf
