#include "dsl/model/resolve/expression.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>

namespace mpf {

double applyUnary(OpCode code, double a) {
  switch (code) {
  case OpCode::Negate:
    return -a;
  case OpCode::Not:
    return a == 0 ? 1 : 0;
  case OpCode::Exp:
    return std::exp(a);
  case OpCode::Log:
    return std::log(a);
  case OpCode::Log2:
    return std::log2(a);
  case OpCode::Sqrt:
    return std::sqrt(a);
  case OpCode::Abs:
    return std::abs(a);
  default:
    MPF_UNREACHABLE("operation {} does not take one number", static_cast<int>(code));
  }
}

double applyBinary(OpCode code, double a, double b) {
  switch (code) {
  case OpCode::Or:
    return a != 0 || b != 0 ? 1 : 0;
  case OpCode::And:
    return a != 0 && b != 0 ? 1 : 0;
  case OpCode::Equal:
    return a == b ? 1 : 0;
  case OpCode::NotEqual:
    return a != b ? 1 : 0;
  case OpCode::Less:
    return a < b ? 1 : 0;
  case OpCode::LessEqual:
    return a <= b ? 1 : 0;
  case OpCode::Greater:
    return a > b ? 1 : 0;
  case OpCode::GreaterEqual:
    return a >= b ? 1 : 0;
  case OpCode::Add:
    return a + b;
  case OpCode::Subtract:
    return a - b;
  case OpCode::Multiply:
    return a * b;
  case OpCode::Divide:
    return a / b;
  case OpCode::Power:
    return std::pow(a, b);
  case OpCode::Min:
    // A NaN on either side wins, so that it is found and reported.
    return std::isnan(a) || a < b ? a : b;
  case OpCode::Max:
    return std::isnan(a) || a > b ? a : b;
  default:
    MPF_UNREACHABLE("operation {} does not take two numbers", static_cast<int>(code));
  }
}

std::optional<double> foldNumber(BuildContext &context, const ast::Expr &expr,
                                 std::string_view what, SweptUse swept) {
  // Numbers are by far the most frequent: arrays of them come through here one by one.
  if (expr.kind == ast::ExprKind::Number)
    return expr.number;
  const auto compiled = compileExpression(context, expr, {}, swept);
  if (!compiled)
    return std::nullopt;
  MPF_CHECK(compiled->isConstant(), "{} instructions are left of an expression without variables",
            compiled->code.size());
  if (std::isnan(compiled->constant())) {
    context.error(expr.range, "{} is not a number", what);
    return std::nullopt;
  }
  return compiled->constant();
}

std::optional<int64_t> foldInteger(BuildContext &context, const ast::Expr &expr,
                                   std::string_view what, int64_t min, int64_t max) {
  // Doubles hold every whole number up to here; beyond, neighbours look equal.
  constexpr int64_t kMaxExact = int64_t{1} << 53;
  const auto number = foldNumber(context, expr, what, SweptUse::Forbidden);
  if (!number)
    return std::nullopt;
  if (*number != std::floor(*number)) {
    context.error(expr.range, "{} is {}, a whole number is needed", what, *number);
    return std::nullopt;
  }
  const int64_t least = std::max(min, -kMaxExact), most = std::min(max, kMaxExact);
  if (*number < static_cast<double>(least) || *number > static_cast<double>(most)) {
    context.error(expr.range, "{} is {}, it must be {} to {}", what, *number, least, most);
    return std::nullopt;
  }
  return static_cast<int64_t>(*number);
}

} // namespace mpf
