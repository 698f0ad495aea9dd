// Expressions of the language. One without variables is folded to a number. Any other is compiled
// to a small stack program, which is evaluated for each entry of a table (evaluate_expression.h).
//
// A name is looked up as a loop index, then as a param, then as a variable of the scope, whose
// value is the number of its state. Compared with a variable, a name can be a label of that
// variable. `inf` is infinity, unless something else has that name.
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
  Select, ///< pop else, then, condition; push then or else. Both sides were evaluated
};

struct Instruction {
  OpCode code = OpCode::Constant;
  uint32_t slot = 0;
  double value = 0;
  friend bool operator==(const Instruction &, const Instruction &) = default;
};

/// A program over the states of a scope's variables that leaves one number on the stack. Constant
/// subtrees are folded. Where a constant decides `c ? a : b`, `c && b` or `c || b`, the side that
/// is not needed is neither compiled nor checked.
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

/// Compiles `expr` over the variables of `scope`. Nothing after reporting a name that is unknown or
/// not allowed here.
std::optional<Expression> compileExpression(BuildContext &context, const ast::Expr &expr,
                                            std::span<const VarId> scope,
                                            SweptUse swept = SweptUse::Allowed);

/// The value of an expression without variables; nothing after reporting, also of NaN. `what` names
/// the value in messages: "the size of 's'".
std::optional<double> foldNumber(BuildContext &context, const ast::Expr &expr,
                                 std::string_view what, SweptUse swept = SweptUse::Allowed);
/// The same for a whole number from `min` to `max`, both included, and of at most 2^53 in
/// magnitude. Reports a swept param in the expression.
std::optional<int64_t> foldInteger(BuildContext &context, const ast::Expr &expr,
                                   std::string_view what, int64_t min, int64_t max);

} // namespace mpf
