#include "dsl/model/build/check_declarations.h"
#include "dsl/model/resolve/expression.h"
#include "dsl/syntax/spelling.h"

#include <cmath>

namespace mpf {

namespace {

/// `linspace(first, last, count)`: the ends are exact, the others first + i * step.
std::optional<std::vector<double>> linspace(BuildContext &context, const ast::ParamItem &item) {
  const auto maxCount = static_cast<int64_t>(context.options.limits.maxSweepValues);
  const auto first = foldNumber(context, item.args[0], "the first value", SweptUse::Forbidden);
  const auto last = foldNumber(context, item.args[1], "the last value", SweptUse::Forbidden);
  const auto count = foldInteger(context, item.args[2], "the number of values", 1, maxCount);
  if (!first || !last || !count)
    return std::nullopt;
  std::vector<double> values(static_cast<size_t>(*count), *first);
  for (size_t i = 1; i < values.size(); ++i)
    values[i] = *first + (*last - *first) *
                             (static_cast<double>(i) / static_cast<double>(values.size() - 1));
  if (values.size() > 1)
    values.back() = *last;
  return values;
}

std::optional<std::vector<double>> range(BuildContext &context, const ast::ParamItem &item) {
  const auto first = foldInteger(context, item.args[0], "the first value", INT64_MIN, INT64_MAX);
  const auto last = foldInteger(context, item.args[1], "the end", INT64_MIN, INT64_MAX);
  if (!first || !last)
    return std::nullopt;
  if (*last <= *first) {
    context.error(item.range, "param '{}' sweeps over {}..{}, which is empty",
                  excerpt(item.name.text), *first, *last);
    return std::nullopt;
  }
  const auto count = static_cast<uint64_t>(*last) - static_cast<uint64_t>(*first);
  if (count > context.options.limits.maxSweepValues) {
    context.error(item.range, "param '{}' has {} values, the limit is {}", excerpt(item.name.text),
                  count, context.options.limits.maxSweepValues);
    return std::nullopt;
  }
  std::vector<double> values;
  for (int64_t value = *first; value < *last; ++value)
    values.push_back(static_cast<double>(value));
  return values;
}

std::optional<std::vector<double>> list(BuildContext &context, const ast::ParamItem &item) {
  std::vector<double> values;
  for (const ast::Expr &arg : item.args) {
    const auto value = foldNumber(context, arg, "a value of the sweep", SweptUse::Forbidden);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  if (values.size() > context.options.limits.maxSweepValues) {
    context.error(item.range, "param '{}' has {} values, the limit is {}", excerpt(item.name.text),
                  values.size(), context.options.limits.maxSweepValues);
    return std::nullopt;
  }
  return values;
}

std::optional<std::vector<double>> sweptValues(BuildContext &context, const ast::ParamItem &item) {
  switch (item.kind) {
  case ast::ParamKind::Linspace:
    return linspace(context, item);
  case ast::ParamKind::Range:
    return range(context, item);
  case ast::ParamKind::List:
  case ast::ParamKind::Constant:
    break;
  }
  return list(context, item);
}

void checkParam(BuildContext &context, const ast::ParamItem &item) {
  const std::string &name = item.name.text;
  std::optional<std::vector<double>> values;
  bool swept = false;
  if (const auto given = context.options.params.find(name); given != context.options.params.end()) {
    if (std::isfinite(given->second))
      values = {{given->second}};
    else
      context.error(item.range, "param '{}' is set to {}, which is not a finite number",
                    excerpt(name), given->second);
  } else if (item.kind != ast::ParamKind::Constant) {
    values = sweptValues(context, item);
    swept = true;
  } else if (const auto value =
                 foldNumber(context, item.args[0], fmt::format("param '{}'", excerpt(name)),
                            SweptUse::Forbidden)) {
    values = {{*value}};
  }
  Symbol symbol{context.at(item.name.range), BrokenSymbol{}};
  if (values)
    symbol.what = ParamSymbol{values->front(), swept};
  if (!context.symbols.declare(name, std::move(symbol), context.diagnostics) || !values)
    return;
  context.model.params.push_back(name);
  if (swept)
    context.model.sweeps.push_back({name, std::move(*values), context.at(item.range)});
}

} // namespace

void checkParams(BuildContext &context, const ast::ParamDecl &decl) {
  for (const ast::ParamItem &item : decl.items)
    checkParam(context, item);
}

void checkOverrides(BuildContext &context) {
  for (const auto &[name, value] : context.options.params)
    if (const Symbol *symbol = context.symbols.find(name);
        !symbol || !(symbol->isBroken() || std::holds_alternative<ParamSymbol>(symbol->what)))
      context.diagnostics.report({Severity::Error,
                                  {},
                                  fmt::format("param '{}' is set from outside, but the model has "
                                              "no such param",
                                              excerpt(name)),
                                  context.symbols.hintFor<ParamSymbol>(name)});
}

} // namespace mpf
