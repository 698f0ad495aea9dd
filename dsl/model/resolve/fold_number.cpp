#include "dsl/model/resolve/language_expression.h"
#include "dsl/support/expression/evaluate_expression.h"
#include "dsl/support/numbers/table_number.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mpf {

namespace {

/// Returns the name of a param in the expression that is no whole number and was set from outside;
/// null: there is none.
const std::string *fractionFromOutside(const BuildContext &context, const ast::Expr &expr) {
  if (expr.kind == ast::ExprKind::Ref && expr.children.empty()) {
    const ParamSymbol *const param = context.symbols.findAs<ParamSymbol>(expr.name);
    const bool isFraction = param != nullptr && param->value != std::floor(param->value);
    return isFraction && context.options.params.values.contains(expr.name) ? &expr.name : nullptr;
  }
  for (const ast::Expr &child : expr.children)
    if (const std::string *const name = fractionFromOutside(context, child))
      return name;
  return nullptr;
}

/// Reports a number that must be whole: where a param is to blame that was set from outside, once
/// for all its uses, and there.
void reportFraction(BuildContext &context, const ast::Expr &expr, std::string_view what,
                    double number) {
  const std::string *const name = fractionFromOutside(context, expr);
  if (name == nullptr)
    return context.error(expr.range, "{} is {}, a whole number is needed", what, number);
  const OutsideValue &given = context.options.params.values.at(*name);
  if (context.params.blamed.insert(*name).second)
    context.diagnostics.error({given.source(), given.item()->range},
                              "param '{}' is {}, and {} must be a whole number", excerpt(*name),
                              context.symbols.findAs<ParamSymbol>(*name)->value, what);
}

} // namespace

std::optional<double> valueOf(BuildContext &context, const Expression &expression,
                              SourceRange range, std::string_view what, std::string hint) {
  double value = 0;
  FarValues far;
  if (expression.isConstant())
    value = expression.constant();
  else
    far = ExpressionEvaluator().evaluate(expression, {}, context.params.values, 0, {&value, 1});
  if (!far.empty())
    context.errorWithHint(range,
                          fmt::format("{} is too {} for a double", what,
                                      far.front().value.exponent > 0 ? "large" : "small"),
                          std::move(hint));
  else if (std::isnan(value))
    context.error(range, "{} is not a number", what);
  return far.empty() && !std::isnan(value) ? std::optional(value) : std::nullopt;
}

std::optional<double> foldNumber(BuildContext &context, const ast::Expr &expr,
                                 std::string_view what, ParamUse use) {
  // The fast path for plain numbers, the most frequent case: arrays are folded one by one.
  if (expr.kind == ast::ExprKind::Number && !isBelowNormal(expr.number))
    return expr.number;
  const auto compiled = compileExpression(context, expr, {}, use);
  if (!compiled)
    return std::nullopt;
  return valueOf(context, *compiled, expr.range, what);
}

std::optional<int64_t> foldInteger(BuildContext &context, const ast::Expr &expr,
                                   std::string_view what, int64_t min, int64_t max) {
  // Doubles hold every whole number up to here; larger neighbours may be equal.
  constexpr int64_t kMaxExact = int64_t{1} << 53;
  const auto number = foldNumber(context, expr, what, ParamUse::Constant);
  if (!number)
    return std::nullopt;
  if (*number != std::floor(*number)) {
    reportFraction(context, expr, what, *number);
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
