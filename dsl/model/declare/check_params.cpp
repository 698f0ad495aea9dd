#include "dsl/model/declare/check_declarations.h"

#include "dsl/model/declare/check_arrays.h"
#include "dsl/model/declare/outside_param.h"
#include "dsl/model/resolve/language_expression.h"
#include "dsl/model/resolve/sweep_values.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

/// Returns the values of `linspace(first, last, count)`. The ends are exact; value i between them
/// is first + (last - first) * (i / (count - 1)).
std::optional<std::vector<double>> linspace(BuildContext &context, const ast::ParamItem &item) {
  const auto maxCount = static_cast<int64_t>(context.options.limits.maxSweepValues);
  const auto first = foldNumber(context, item.args[0], "the first value", ParamUse::Constant);
  const auto last = foldNumber(context, item.args[1], "the last value", ParamUse::Constant);
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

/// Returns false after reporting an end of a range that is no whole number.
bool isWholeRange(BuildContext &context, const ast::ParamItem &item) {
  for (const ast::Expr &end : item.args) {
    const auto value = foldNumber(context, end, "an end of the range", ParamUse::Constant);
    if (!value)
      return false;
    if (std::isfinite(*value) && *value != std::floor(*value)) {
      context.errorWithHint(end.range,
                            fmt::format("{} is an end of a range of whole numbers", *value),
                            "values between are linspace(FIRST, LAST, COUNT)");
      return false;
    }
  }
  return true;
}

/// Returns false after reporting too many values.
bool isSweepOf(BuildContext &context, const ast::ParamItem &item, uint64_t count) {
  const uint64_t most = context.options.limits.maxSweepValues;
  if (count > most)
    context.error(item.range, "the sweep has {} values, the limit is {}", count, most);
  return count <= most;
}

std::optional<std::vector<double>> range(BuildContext &context, const ast::ParamItem &item) {
  if (!isWholeRange(context, item))
    return std::nullopt;
  const auto first = foldInteger(context, item.args[0], "the first value", INT64_MIN, INT64_MAX);
  const auto last = foldInteger(context, item.args[1], "the end", INT64_MIN, INT64_MAX);
  if (!first || !last)
    return std::nullopt;
  if (*last <= *first) {
    context.error(item.range, "the sweep {}..{} is empty", *first, *last);
    return std::nullopt;
  }
  const auto count = static_cast<uint64_t>(*last) - static_cast<uint64_t>(*first);
  if (!isSweepOf(context, item, count))
    return std::nullopt;
  std::vector<double> values;
  for (int64_t value = *first; value < *last; ++value)
    values.push_back(static_cast<double>(value));
  return values;
}

std::optional<std::vector<double>> list(BuildContext &context, const ast::ParamItem &item) {
  std::vector<double> values;
  for (const ast::Expr &arg : item.args) {
    const auto value = foldNumber(context, arg, "a value of the sweep", ParamUse::Constant);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return isSweepOf(context, item, values.size()) ? std::optional(std::move(values)) : std::nullopt;
}

std::optional<std::vector<double>> sweptValues(BuildContext &context, const ast::ParamItem &item) {
  switch (item.kind) {
  case ast::ParamKind::Linspace:
    return linspace(context, item);
  case ast::ParamKind::Range:
    return range(context, item);
  case ast::ParamKind::Values: {
    auto values = valuesOfSweep(context, item.name.text, item.given.front());
    return values && isSweepOf(context, item, values->size()) ? std::move(values) : std::nullopt;
  }
  default:
    break;
  }
  return list(context, item);
}

/// Returns the values of `[1, 2]`, which sweeps a number from outside; nothing after reporting.
std::optional<std::vector<double>> arrayValues(BuildContext &context, const std::string &name,
                                               const ast::ParamItem &item,
                                               const ast::ArrayLiteral &array) {
  if (array.shape.size() > 1) {
    context.errorWithHint(array.range,
                          fmt::format("param '{}' is a number, and is set to an array", name),
                          "an array has axes: param w[2][2] = ...");
    return std::nullopt;
  }
  std::vector<double> values = array.values;
  if (const auto bad = std::ranges::find_if_not(values, [](double v) { return std::isfinite(v); });
      bad != values.end()) { // of a host program
    context.error(array.range, "param '{}' is set to {}, which is not a finite number", name, *bad);
    return std::nullopt;
  }
  for (const ast::ComputedElement &element : array.computed) {
    const auto value =
        foldNumber(context, element.expr, "a value of the sweep", ParamUse::Constant);
    if (!value)
      return std::nullopt;
    values[element.index] = *value;
  }
  return isSweepOf(context, item, values.size()) ? std::optional(std::move(values)) : std::nullopt;
}

/// The meaning of a param, apart from whether cases set it.
struct ParamMeaning {
  std::vector<double> values; ///< several values if it is swept
  bool isSwept = false;
  Expression expression; ///< formula, if it depends on params that vary
};

/// `item` is the declared one, or from outside. `given`: what stands behind its `=`, or the file of
/// a later item of the declaration; null: none.
std::optional<ParamMeaning> meaningOf(BuildContext &context, const ast::ParamItem &declared,
                                      const ast::ParamItem &item, const ast::Value *given) {
  const std::string name = excerpt(declared.name.text);
  const bool isOutside = &item != &declared;
  ParamMeaning meaning;
  const auto *const array =
      given != nullptr && isOutside ? std::get_if<ast::ArrayLiteral>(&given->node) : nullptr;
  if (array != nullptr || item.kind == ast::ParamKind::Values ||
      (given == nullptr && item.kind != ast::ParamKind::Constant)) {
    if (given == nullptr && item.kind == ast::ParamKind::None) {
      reportNoValue(context, item);
      return std::nullopt;
    }
    auto values =
        array != nullptr ? arrayValues(context, name, item, *array) : sweptValues(context, item);
    if (!values)
      return std::nullopt;
    meaning.values = std::move(*values);
    meaning.isSwept = true;
    return meaning;
  }
  if (given != nullptr) {
    const auto *file = std::get_if<ast::FileValue>(&given->node);
    if (file == nullptr)
      context.error(given->range, "param '{}' is a number", name);
    const auto number = file ? numberOfFile(context, declared, *file) : std::nullopt;
    if (number)
      meaning.values = {*number};
    return number ? std::optional(std::move(meaning)) : std::nullopt;
  }
  auto compiled = compileExpression(context, item.args[0], {});
  if (!compiled)
    return std::nullopt;
  const auto value =
      valueOf(context, *compiled, item.args[0].range, fmt::format("param '{}'", name),
              "values of factors may be of any magnitude: the whole formula may "
              "stand there");
  if (!value)
    return std::nullopt;
  meaning.values = {*value};
  if (compiled->usesParams()) // else it is a number, which may have a magnitude below all doubles
    meaning.expression = std::move(*compiled);
  return meaning;
}

const ast::Value *valueIn(const ast::ParamItem &item) {
  return item.given.empty() ? nullptr : &item.given.front();
}

std::optional<ParamMeaning> readMeaning(BuildContext &context, const ast::ParamItem &declared,
                                        const ast::Value *value) {
  const OutsideParam outside(context, declared);
  const ast::ParamItem *const item = outside.item();
  if (item == nullptr)
    return std::nullopt;
  return meaningOf(context, declared, *item, outside.isGiven() ? valueIn(*item) : value);
}

void checkParam(BuildContext &context, const ast::ParamItem &item, const ast::Value *value) {
  const std::string &name = item.name.text;
  std::optional<ParamMeaning> meaning = readMeaning(context, item, value);
  Symbol symbol{context.at(item.name.range), BrokenSymbol{}};
  bool varies = false;
  if (meaning) {
    // Each such param has a slot, so that a chain of them costs as much as its formulas.
    // Substituting formulas for names would double the cost with every param that names another one
    // twice.
    varies = meaning->isSwept || context.params.varying.contains(name) ||
             !meaning->expression.code.empty();
    ParamSymbol param{meaning->values.front(), std::nullopt, meaning->isSwept};
    if (varies)
      param.slot = static_cast<uint32_t>(context.model.params.size());
    symbol.what = param;
  }
  if (!context.symbols.declare(name, std::move(symbol), context.diagnostics) || !meaning)
    return;
  const bool isSwept = meaning->isSwept || readsSwept(context.model.params, meaning->expression);
  context.model.params.push_back(
      {name, meaning->values.front(), varies, std::move(meaning->expression), isSwept});
  context.params.values.push_back(meaning->values.front());
  if (meaning->isSwept)
    context.model.sweeps.push_back({name, std::move(meaning->values), context.at(item.range)});
}

/// Finds the file that a later item of the declaration has, which gives item `i` its value too.
/// Returns false after reporting a later value that is no file.
bool laterFile(BuildContext &context, const ast::ParamDecl &decl, size_t i,
               const ast::Value *&value) {
  const auto later =
      std::find_if(decl.items.begin() + static_cast<ptrdiff_t>(i), decl.items.end(),
                   [](const ast::ParamItem &other) { return other.kind != ast::ParamKind::None; });
  if (later == decl.items.end())
    return true;
  if (later->kind == ast::ParamKind::Given &&
      std::holds_alternative<ast::FileValue>(later->given.front().node)) {
    value = &later->given.front();
    return true;
  }
  context.errorWithHint(
      decl.items[i].range,
      fmt::format("param '{}' has no value; that behind '{}' is no file, and its alone",
                  excerpt(decl.items[i].name.text), excerpt(later->name.text)),
      "a param that is set from outside has a 'param' of its own");
  return false;
}

} // namespace

void checkParams(BuildContext &context, const ast::ParamDecl &decl) {
  for (size_t i = 0; i < decl.items.size(); ++i) {
    const ast::ParamItem &item = decl.items[i];
    const ast::Value *value = valueIn(item);
    if (item.kind == ast::ParamKind::None && !laterFile(context, decl, i, value)) {
      context.symbols.declare(item.name.text, {context.at(item.name.range), BrokenSymbol{}},
                              context.diagnostics);
      continue;
    }
    context.params.names.push_back(item.name.text);
    if (item.axes.empty())
      checkParam(context, item, value);
    else
      checkArray(context, item, value);
  }
}

namespace {

std::string hintForParam(const BuildContext &context, const std::string &name) {
  constexpr size_t kMostParams = 20;
  if (const std::string similar = context.symbols.hintFor<ParamSymbol, ArrayPtr>(name);
      !similar.empty())
    return similar;
  const std::vector<std::string> &params = context.params.names;
  std::string names;
  for (size_t i = 0; i < std::min(params.size(), kMostParams); ++i)
    names += fmt::format("{}{}", i == 0 ? "" : ", ", excerpt(params[i]));
  if (names.empty())
    return "the model has no params";
  return fmt::format("its params are {}{}", names, params.size() > kMostParams ? ", ..." : "");
}

} // namespace

void checkOverrides(BuildContext &context) {
  for (const auto &[name, values] : context.options.params.values)
    if (const Symbol *symbol = context.symbols.find(name);
        !symbol || !(symbol->isBroken() || std::holds_alternative<ParamSymbol>(symbol->what) ||
                     std::holds_alternative<ArrayPtr>(symbol->what)))
      context.diagnostics.report({Severity::Error,
                                  {},
                                  fmt::format("param '{}' is set from outside, but the model has "
                                              "no such param",
                                              excerpt(name)),
                                  hintForParam(context, name)});
}

} // namespace mpf
