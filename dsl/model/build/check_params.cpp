#include "dsl/model/build/check_declarations.h"

#include "dsl/model/build/check_arrays.h"
#include "dsl/model/build/read_sweep.h"
#include "dsl/model/resolve/language_expression.h"
#include "dsl/support/check.h"
#include "dsl/syntax/parser.h"
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
  if (count > context.options.limits.maxSweepValues) {
    context.error(item.range, "the sweep has {} values, the limit is {}", count,
                  context.options.limits.maxSweepValues);
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
    const auto value = foldNumber(context, arg, "a value of the sweep", ParamUse::Constant);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  if (values.size() > context.options.limits.maxSweepValues) {
    context.error(item.range, "the sweep has {} values, the limit is {}", values.size(),
                  context.options.limits.maxSweepValues);
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
  default:
    break;
  }
  return list(context, item);
}

/// Returns the values that a param gets from outside; nothing after reporting.
std::optional<std::vector<double>> givenValues(BuildContext &context, const ast::ParamItem &item,
                                               const GivenParam &from) {
  if (from.shape.size() > 1) {
    context.errorWithHint(
        item.range,
        fmt::format("param '{}' is a number, and is set to an array", excerpt(item.name.text)),
        "an array has axes: param w[2][2] = ...");
    return std::nullopt;
  }
  const std::vector<double> &given = from.values;
  const auto bad = std::ranges::find_if(given, [](double value) { return !std::isfinite(value); });
  if (bad == given.end())
    return given;
  context.error(item.range, "param '{}' is set to {}, which is not a finite number",
                excerpt(item.name.text), *bad);
  return std::nullopt;
}

/// The meaning of a param, apart from whether cases set it.
struct ParamMeaning {
  std::vector<double> values; ///< several values if it is swept
  bool isSwept = false;
  Expression expression; ///< formula, if it depends on params that vary
};

/// `fileValue` is the file that the item or a later item of the declaration has; null: none.
std::optional<ParamMeaning> meaningOf(BuildContext &context, const ast::ParamItem &item,
                                      const ast::Value *fileValue) {
  ParamMeaning meaning;
  const auto found = context.options.params.values.find(item.name.text);
  const GivenParam *const given =
      found == context.options.params.values.end() ? nullptr : &found->second;
  if (given == nullptr && fileValue != nullptr) {
    const auto *file = std::get_if<ast::FileValue>(&fileValue->node);
    if (file == nullptr)
      context.error(fileValue->range, "param '{}' is a number", excerpt(item.name.text));
    const auto number = file ? numberOfFile(context, item, *file) : std::nullopt;
    if (number)
      meaning.values = {*number};
    return number ? std::optional(std::move(meaning)) : std::nullopt;
  }
  if (given == nullptr && item.kind == ast::ParamKind::None) {
    reportNoValue(context, item);
    return std::nullopt;
  }
  if (given != nullptr || item.kind != ast::ParamKind::Constant) {
    auto values = given ? givenValues(context, item, *given) : sweptValues(context, item);
    if (!values)
      return std::nullopt;
    meaning.values = std::move(*values);
    meaning.isSwept = given == nullptr || given->isSwept;
    return meaning;
  }
  auto compiled = compileExpression(context, item.args[0], {});
  if (!compiled)
    return std::nullopt;
  const auto value = valueOf(context, *compiled, item.args[0].range,
                             fmt::format("param '{}'", excerpt(item.name.text)),
                             "values of factors may be of any magnitude: the whole formula may "
                             "stand there");
  if (!value)
    return std::nullopt;
  meaning.values = {*value};
  if (!compiled->isConstant())
    meaning.expression = std::move(*compiled);
  return meaning;
}

void checkParam(BuildContext &context, const ast::ParamItem &item, const ast::Value *value) {
  const std::string &name = item.name.text;
  std::optional<ParamMeaning> meaning = meaningOf(context, item, value);
  Symbol symbol{context.at(item.name.range), BrokenSymbol{}};
  bool varies = false;
  if (meaning) {
    // Each such param has a slot, so that a chain of them costs as much as its formulas.
    // Substituting formulas for names would double the cost with every param that names another one
    // twice.
    varies =
        meaning->isSwept || context.varying.contains(name) || !meaning->expression.code.empty();
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
  context.paramValues.push_back(meaning->values.front());
  if (meaning->isSwept)
    context.model.sweeps.push_back({name, std::move(meaning->values), context.at(item.range)});
}

/// The start of a declaration; the text of a sweep follows it.
constexpr std::string_view kSweepHead = "param sweep in ";
constexpr std::string_view kArrayHead = "param array[] = ";

} // namespace

namespace {

/// The text of a param from outside, parsed as a declaration.
struct OutsideText {
  OutsideText(std::string_view head, const std::string &text, const std::string &name)
      : source(std::make_shared<const SourceBuffer>(name, fmt::format("{}{}\n", head, text))),
        file(parseFile(source, diagnostics)), context(model, diagnostics, options) {
    context.source = source;
  }

  /// Returns the only item of the declaration; null if there is none, or something else.
  const ast::ParamItem *item() const {
    const ast::ParamDecl *const decl = diagnostics.hasErrors() || file->decls.size() != 1
                                           ? nullptr
                                           : std::get_if<ast::ParamDecl>(&file->decls.front().node);
    return decl == nullptr || decl->items.size() != 1 ? nullptr : &decl->items.front();
  }
  [[noreturn]] void fail(const std::string &name) const {
    const Diagnostic &first = diagnostics.all().front();
    mpf::fail(ErrorKind::Usage, "{}: {}{}{}", name, first.message, first.hint.empty() ? "" : ": ",
              first.hint);
  }

  Diagnostics diagnostics;
  std::shared_ptr<const SourceBuffer> source;
  std::unique_ptr<ast::File> file;
  Model model;
  BuildOptions options;
  BuildContext context;
};

} // namespace

std::vector<double> readSweep(const std::string &text, const std::string &name) {
  OutsideText outside(kSweepHead, text, name);
  // Any other text gives one error: the parser's messages are about the text with kSweepHead.
  const ast::ParamItem *const item = outside.item();
  if (item == nullptr)
    fail(ErrorKind::Usage,
         "{}: expected a number, linspace(FIRST, LAST, COUNT), FIRST..END or [A, B, ...]", name);
  std::optional<std::vector<double>> values = sweptValues(outside.context, *item);
  if (!values)
    outside.fail(name);
  return std::move(*values);
}

GivenParam readGivenArray(const std::string &text, const std::string &name) {
  OutsideText outside(kArrayHead, text, name);
  const ast::ParamItem *const item = outside.item();
  const auto *const array = item == nullptr || item->given.empty()
                                ? nullptr
                                : std::get_if<ast::ArrayLiteral>(&item->given.front().node);
  if (array == nullptr)
    fail(ErrorKind::Usage, "{}: expected numbers in brackets: [1, 2], [[1, 2], [3, 4]]", name);
  GivenParam given(array->shape, array->values);
  for (const ast::ComputedElement &element : array->computed) {
    const auto number = foldNumber(outside.context, element.expr, "a number", ParamUse::Constant);
    if (!number)
      outside.fail(name);
    given.values[element.index] = *number;
  }
  given.isSwept = given.shape.size() == 1;
  return given;
}

namespace {

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
    const ast::Value *value = item.given.empty() ? nullptr : &item.given.front();
    if (item.kind == ast::ParamKind::None && !laterFile(context, decl, i, value)) {
      context.symbols.declare(item.name.text, {context.at(item.name.range), BrokenSymbol{}},
                              context.diagnostics);
      continue;
    }
    context.paramNames.push_back(item.name.text);
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
  const std::vector<std::string> &params = context.paramNames;
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
