#include "dsl/model/resolve/index_list.h"

#include "dsl/model/resolve/call_function.h"
#include "dsl/model/resolve/language_expression.h"
#include "dsl/model/resolve/local_names.h"
#include "dsl/model/resolve/number_array.h"
#include "dsl/syntax/spelling.h"

#include <cmath>

namespace mpf {

namespace {

uint64_t countOf(int64_t first, int64_t last) {
  return last <= first ? 0 : static_cast<uint64_t>(last) - static_cast<uint64_t>(first);
}

IndexList listOf(std::vector<int64_t> numbers) {
  const uint64_t count = numbers.size();
  return {0, count, std::move(numbers)};
}

/// Whether an item is a list of its own, and no number.
bool isList(const BuildContext &context, const ast::Expr &expr) {
  return isArray(context, expr) ||
         (expr.kind == ast::ExprKind::Call && expr.function == ast::Function::Nonzero);
}

/// Sets `numbers` to those of an array with one axis, or to the places of its entries that are not
/// 0 (`nonzero`). Returns false after reporting.
bool listArray(BuildContext &context, const ast::Expr &list, std::vector<int64_t> &numbers) {
  const bool isNonzero =
      list.kind == ast::ExprKind::Call && list.function == ast::Function::Nonzero;
  const ast::Expr &named = isNonzero ? list.children[0] : list;
  if (!isArray(context, named)) {
    if (named.kind == ast::ExprKind::Call && named.function == ast::Function::None &&
        findFunction(context, named) == nullptr)
      return false;
    const Symbol *symbol =
        named.kind == ast::ExprKind::Ref ? context.symbols.find(named.name) : nullptr;
    if (symbol == nullptr || !symbol->isBroken())
      context.errorWithHint(named.range, "a list is needed here",
                            "a list is 0..n, [0, 2], an array with one axis, or nonzero(array)");
    return false;
  }
  const auto view = resolveArray(context, named);
  if (!view)
    return false;
  if (view->axesLeft() > 1) {
    context.error(named.range, "this array is {}, a list has one axis", dimsText(view->shape()));
    return false;
  }
  constexpr double kMaxExact = 0x1p53;
  const std::span<const double> entries = view->numbers();
  for (size_t i = 0; i < entries.size(); ++i) {
    if (std::isnan(entries[i]) || (!isNonzero && (entries[i] != std::floor(entries[i]) ||
                                                  std::abs(entries[i]) > kMaxExact))) {
      context.error(named.range, "entry {} of this list is {}, a {} is needed", i, entries[i],
                    isNonzero ? "number" : "whole number");
      return false;
    }
    if (!isNonzero)
      numbers.push_back(static_cast<int64_t>(entries[i]));
    else if (entries[i] != 0)
      numbers.push_back(static_cast<int64_t>(i));
  }
  return true;
}

} // namespace

std::optional<IndexList> resolveList(BuildContext &context, const ast::Expr &list) {
  if (list.kind == ast::ExprKind::Span) {
    const auto first =
        foldInteger(context, list.children[0], "the start of a range", INT64_MIN, INT64_MAX);
    const auto last =
        foldInteger(context, list.children[1], "the end of a range", INT64_MIN, INT64_MAX);
    if (!first || !last)
      return std::nullopt;
    return IndexList{*first, countOf(*first, *last), {}};
  }
  std::vector<int64_t> numbers;
  if (list.kind != ast::ExprKind::List) {
    if (!listArray(context, list, numbers))
      return std::nullopt;
    return listOf(std::move(numbers));
  }
  for (const ast::Expr &element : list.children) {
    const auto number = foldInteger(context, element, "an element of a list", INT64_MIN, INT64_MAX);
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
  }
  return listOf(std::move(numbers));
}

bool checkIndexName(BuildContext &context, const ast::Expr &range) {
  const ast::Expr &index = range.children[0];
  if (const Symbol *symbol = context.symbols.find(index.name)) {
    context.error(index.range, "loop index '{}' is already declared as {}", excerpt(index.name),
                  symbol->kindName());
    context.diagnostics.note(symbol->place, "first declared here");
    return false;
  }
  if (findArgument(context, index.name) != nullptr || findBinding(context, index.name)) {
    context.error(index.range, "loop index '{}' is already an argument or a name behind 'where'",
                  excerpt(index.name));
    return false;
  }
  if (findLoopIndex(context, index.name) != nullptr) {
    context.error(index.range, "loop index '{}' is already the index of an outer loop",
                  excerpt(index.name));
    return false;
  }
  return true;
}

std::string dimsText(std::span<const uint64_t> dims) {
  std::string text;
  for (const uint64_t dim : dims)
    text += fmt::format("{}{}", text.empty() ? "" : " x ", dim);
  return text;
}

std::optional<IndexList> foldIndices(BuildContext &context, const ast::IndexItem &item,
                                     uint64_t length, const std::string &name,
                                     std::span<const uint64_t> dims) {
  if (!item.isRange && isList(context, *item.first)) {
    auto list = resolveList(context, *item.first);
    for (uint64_t i = 0; list && i < list->count; ++i)
      if (const int64_t index = list->at(i); index < 0 || static_cast<uint64_t>(index) >= length) {
        context.error(item.range, "index {} of '{}' is outside 0..{} (the array is {})", index,
                      excerpt(name), length - 1, dimsText(dims));
        return std::nullopt;
      }
    return list;
  }
  const auto fold = [&](const std::optional<ast::Expr> &bound, const char *what,
                        int64_t otherwise) {
    return bound ? foldInteger(context, *bound, what, INT64_MIN, INT64_MAX)
                 : std::optional(otherwise);
  };
  const auto first = fold(item.first, item.isRange ? "the start of a range" : "an index", 0);
  const auto last =
      item.isRange ? fold(item.last, "the end of a range", static_cast<int64_t>(length)) : first;
  if (!first || !last)
    return std::nullopt;
  const int64_t end = item.isRange ? *last : *first + 1;
  if (item.isRange && end <= *first)
    return IndexList{};
  const bool isBelow = *first < 0;
  if (isBelow || static_cast<uint64_t>(end) > length) {
    const std::optional<ast::Expr> &bound = isBelow || !item.isRange ? item.first : item.last;
    context.error(bound ? bound->range : item.range,
                  "index {} of '{}' is outside 0..{} (the array is {})", isBelow ? *first : end - 1,
                  excerpt(name), length - 1, dimsText(dims));
    return std::nullopt;
  }
  return IndexList{*first, static_cast<uint64_t>(end - *first), {}};
}

} // namespace mpf
