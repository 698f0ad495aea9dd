// Expressions of the language: folded to a number, or compiled to a little stack program that a
// whole table is filled with (evaluate_expression.h).
//
// Names mean, in this order: a loop index, a param, a variable of the scope (its state's number),
// and, compared with a variable, a label of that variable. `inf` is infinity.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace mpf {

enum class OpCode : uint8_t {
  Constant, ///< push `value`
  State,    ///< push the state of scope variable `slot`
  Negate,
  Not,
  Exp,
  Log,
  Log2,
  Sqrt,
  Abs,
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
  Power,
  Min,
  Max,
  Select, ///< condition, then, else -> one of them; both were evaluated, which is harmless here
};

struct Instruction {
  OpCode code = OpCode::Constant;
  uint32_t slot = 0;
  double value = 0;
  friend bool operator==(const Instruction &, const Instruction &) = default;
};

/// A program over the states of a scope's variables; leaves one number. Constant subtrees are
/// folded, and of `c ? a : b` with constant c only the chosen side is there (or checked at all).
struct Expression {
  std::vector<Instruction> code;
  bool isConstant() const { return code.size() == 1 && code[0].code == OpCode::Constant; }
  double constant() const { return code[0].value; }
};

/// The meaning of one operation on numbers; comparisons and logic give 1 or 0.
double applyUnary(OpCode code, double a);
double applyBinary(OpCode code, double a, double b);

enum class SweptUse {
  Allowed,  ///< factor values: the number of the first swept value
  Forbidden ///< sizes, indices, ranges, states
};

/// Reports and gives nothing when a name is unknown or cannot stand here.
std::optional<Expression> compileExpression(BuildContext &context, const ast::Expr &expr,
                                            std::span<const VarId> scope,
                                            SweptUse swept = SweptUse::Allowed);

/// A number that needs no variable. `what` names it in messages: "the size of 's'".
std::optional<double> foldNumber(BuildContext &context, const ast::Expr &expr,
                                 std::string_view what, SweptUse swept = SweptUse::Allowed);
/// A whole number between min and max, inclusive; never of a swept param.
std::optional<int64_t> foldInteger(BuildContext &context, const ast::Expr &expr,
                                   std::string_view what, int64_t min, int64_t max);

} // namespace mpf
