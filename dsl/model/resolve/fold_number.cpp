#include "dsl/model/resolve/language_expression.h"
#include "dsl/support/expression/evaluate_expression.h"

#include <algorithm>
#include <cmath>

namespace mpf {

double valueOf(const BuildContext &context, const Expression &expression) {
  if (expression.isConstant())
    return expression.constant();
  double value = 0;
  ExpressionEvaluator().evaluate(expression, {}, context.paramValues, 0, {&value, 1});
  return value;
}

std::optional<double> foldNumber(BuildContext &context, const ast::Expr &expr,
                                 std::string_view what, ParamUse use) {
  // Numbers are by far the most frequent: arrays of them come through here one by one.
  if (expr.kind == ast::ExprKind::Number)
    return expr.number;
  const auto compiled = compileExpression(context, expr, {}, use);
  if (!compiled)
    return std::nullopt;
  const double value = valueOf(context, *compiled);
  if (std::isnan(value)) {
    context.error(expr.range, "{} is not a number", what);
    return std::nullopt;
  }
  return value;
}

std::optional<int64_t> foldInteger(BuildContext &context, const ast::Expr &expr,
                                   std::string_view what, int64_t min, int64_t max) {
  // Doubles hold every whole number up to here; beyond, neighbours look equal.
  constexpr int64_t kMaxExact = int64_t{1} << 53;
  const auto number = foldNumber(context, expr, what, ParamUse::Constant);
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
