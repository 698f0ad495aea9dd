// Arithmetic as a small stack program. Expressions of the language are compiled to it
// (dsl/model/resolve/language_expression.h). The entries of a table follow from it if cases set
// parameters (table_formula.h).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace mpf {

enum class OpCode : uint8_t {
  Constant, ///< push `value`
  State,    ///< push the state of scope variable `slot`
  Param,    ///< push the value of parameter `slot`
  Negate,
  Not,
  Exp,
  Log,
  Log2,
  Log10,
  Sqrt,
  Abs,
  Floor,
  Ceil,
  Round, ///< halves go away from 0
  Erf,
  Lgamma, ///< the logarithm of |gamma(x)|
  Within, ///< an index: a whole number from 0 to `slot` - 1, or the value is undefined
  Entry,  ///< the entry at this place of array `slot`; isForBuilding
  Or,
  And,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Add,
  Subtract,
  Multiply,
  Divide,
  Modulo, ///< a - b floor(a / b), rounded once; 0 has the sign of b
  Power,
  Min,
  Max,
  Select, ///< pop else, then, condition; push then or else. Both sides were evaluated
};

constexpr bool isComparison(OpCode code) {
  return code >= OpCode::Equal && code <= OpCode::GreaterEqual;
}

/// Whether an operation reads arrays of numbers, which exist only while a model is built.
constexpr bool isForBuilding(OpCode code) {
  return code == OpCode::Within || code == OpCode::Entry;
}

struct Instruction {
  OpCode code = OpCode::Constant;
  uint32_t slot = 0;
  double value = 0;
  /// Numbers are equal if their bits are: the two zeros differ.
  friend bool operator==(const Instruction &a, const Instruction &b) {
    return a.code == b.code && a.slot == b.slot &&
           std::bit_cast<uint64_t>(a.value) == std::bit_cast<uint64_t>(b.value);
  }
};

/// A program over the states of a scope's variables and the values of parameters that leaves one
/// number on the stack.
struct Expression {
  std::vector<Instruction> code;
  bool isConstant() const { return code.size() == 1 && code[0].code == OpCode::Constant; }
  double constant() const { return code[0].value; }
  bool usesParams() const {
    return std::ranges::any_of(code, [](const Instruction &i) { return i.code == OpCode::Param; });
  }
  friend bool operator==(const Expression &, const Expression &) = default;
};

/// Apply one operation to numbers; comparisons and logic give 1 or 0.
double applyUnary(OpCode code, double a);
double applyBinary(OpCode code, double a, double b);

} // namespace mpf
