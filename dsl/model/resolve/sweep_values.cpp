#include "dsl/model/resolve/sweep_values.h"

#include "dsl/model/resolve/index_list.h"
#include "dsl/model/resolve/language_expression.h"
#include "dsl/model/resolve/number_array.h"
#include "dsl/model/resolve/read_array.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace mpf {

namespace {

constexpr const char *kSweepHint =
    "a sweep is [1, 2], 0..10, linspace(FIRST, LAST, COUNT), file(...) or an array with one axis "
    "left";

void reportNoRow(BuildContext &context, SourceRange range, const std::vector<uint64_t> &shape) {
  const bool isEmpty = std::ranges::find(shape, 0u) != shape.end();
  context.errorWithHint(
      range,
      fmt::format("a sweep needs a row of numbers, this is {}", isEmpty         ? "empty"
                                                                : shape.empty() ? "one number"
                                                                                : dimsText(shape)),
      kSweepHint);
}

std::optional<std::vector<double>> rowOfFile(BuildContext &context, const std::string &name,
                                             const ast::FileValue &file) {
  ArrayRequest request;
  request.name = name;
  request.axes = 1;
  request.onlyDoubles = true;
  const std::shared_ptr<const ArrayFile> read = readArray(context, file, request);
  if (!read)
    return std::nullopt;
  if (read->shape.size() == 1 && !read->values->empty())
    return *read->values;
  reportNoRow(context, file.path.range, read->shape);
  return std::nullopt;
}

/// Returns the numbers of an array with one axis left; nothing after reporting.
std::optional<std::vector<double>> rowOfArray(BuildContext &context, const ast::Expr &expr) {
  const bool isNamed = isArray(context, expr);
  const std::optional<ArrayView> view = isNamed ? resolveArray(context, expr) : std::nullopt;
  const Symbol *const symbol = context.symbols.find(expr.name);
  if ((isNamed && !view) || (symbol != nullptr && symbol->isBroken())) // reported before
    return std::nullopt;
  if (view && view->axesLeft() == 1 && view->length(0) != 0)
    return std::vector<double>(view->numbers().begin(), view->numbers().end());
  if (view)
    reportNoRow(context, expr.range, view->shape());
  else
    context.errorWithHint(
        expr.range,
        fmt::format("'{}' is no array of numbers that is declared before", excerpt(expr.name)),
        kSweepHint);
  return std::nullopt;
}

} // namespace

std::optional<std::vector<double>> valuesOfSweep(BuildContext &context, const std::string &name,
                                                 const ast::Value &value) {
  const auto *const file = std::get_if<ast::FileValue>(&value.node);
  const auto values =
      file ? rowOfFile(context, name, *file) : rowOfArray(context, std::get<ast::Expr>(value.node));
  if (!values)
    return std::nullopt;
  const auto isFinite = [](double number) { return std::isfinite(number); };
  if (const auto bad = std::ranges::find_if_not(*values, isFinite); bad != values->end()) {
    context.error(value.range, "value {} of the sweep is {}, which is not a finite number",
                  bad - values->begin(), *bad);
    return std::nullopt;
  }
  return values;
}

} // namespace mpf
