#include "dsl/model/declare/check_arrays.h"

#include "dsl/model/declare/outside_param.h"
#include "dsl/model/declare/read_numbers.h"
#include "dsl/model/resolve/language_expression.h"
#include "dsl/model/resolve/number_array.h"
#include "dsl/model/resolve/read_array.h"
#include "dsl/syntax/spelling.h"

#include <utility>

namespace mpf {

namespace {

/// Returns the array that the item declares; nothing after reporting a bad length.
std::optional<WantedArray> wantedOf(BuildContext &context, const ast::ParamItem &item) {
  const std::string &name = item.name.text;
  WantedArray wanted{name, name};
  constexpr size_t kMaxAxes = 64;
  if (item.axes.size() > kMaxAxes) {
    context.error(item.range, "'{}' has {} axes, the limit is {}", excerpt(name), item.axes.size(),
                  kMaxAxes);
    return std::nullopt;
  }
  for (const ast::ParamAxis &axis : item.axes) {
    wanted.domains.emplace_back();
    wanted.lengths.emplace_back();
    if (axis.length.empty())
      continue;
    const ast::Expr &length = axis.length.front();
    const bool isName = length.kind == ast::ExprKind::Ref && length.children.empty();
    if (const DomainPtr *domain =
            isName ? context.symbols.findAs<DomainPtr>(length.name) : nullptr) {
      wanted.domains.back() = *domain;
      wanted.lengths.back() = (*domain)->extent;
      continue;
    }
    const auto number = foldInteger(context, length, fmt::format("a length of '{}'", excerpt(name)),
                                    1, static_cast<int64_t>(context.options.limits.maxTableElems));
    if (!number)
      return std::nullopt;
    wanted.lengths.back() = static_cast<uint64_t>(*number);
  }
  return wanted;
}

/// Reads the array from its value from outside.
std::optional<NumberArray> readOutside(BuildContext &context, const WantedArray &wanted,
                                       const ast::ParamItem &given) {
  if (given.kind == ast::ParamKind::Given)
    return readNumbers(context, wanted, given.given.front());
  const ast::Expr *const expr =
      given.kind == ast::ParamKind::Constant ? &given.args.front() : nullptr;
  if (expr != nullptr && isArray(context, *expr))
    return readNumbers(context, wanted, {expr->range, {*expr}});
  context.errorWithHint(
      given.range,
      fmt::format("'{}' is an array, and is set to a {}", excerpt(wanted.name),
                  expr == nullptr ? "sweep" : "number"),
      fmt::format("an array is set like this: -D '{}=[1, 2]'", excerpt(wanted.name)));
  return std::nullopt;
}

std::optional<NumberArray> readItem(BuildContext &context, const ast::ParamItem &item,
                                    const ast::Value *given) {
  const auto wanted = wantedOf(context, item);
  if (!wanted)
    return std::nullopt;
  const OutsideParam outside(context, item);
  if (outside.isGiven())
    return outside.item() != nullptr ? readOutside(context, *wanted, *outside.item())
                                     : std::nullopt;
  if (given != nullptr)
    return readNumbers(context, *wanted, *given);
  reportNoValue(context, item);
  return std::nullopt;
}

} // namespace

void reportNoValue(BuildContext &context, const ast::ParamItem &item) {
  const std::string name = excerpt(item.name.text);
  const size_t axes = item.axes.size();
  context.errorWithHint(
      item.range, fmt::format("param '{}' has no value: it is set from outside", name),
      axes == 0 ? fmt::format("mpfc takes -D {}=3", name)
                : fmt::format("mpfc takes -D '{}={:[>{}}1, 2{:]>{}}'", name, "", axes, "", axes));
}

void checkArray(BuildContext &context, const ast::ParamItem &item, const ast::Value *given) {
  Symbol symbol{context.at(item.name.range), BrokenSymbol{}};
  if (auto array = readItem(context, item, given))
    symbol.what = std::make_shared<const NumberArray>(std::move(*array));
  if (context.params.varying.contains(item.name.text))
    context.error(item.range, "'{}' is an array: cases set numbers alone", excerpt(item.name.text));
  context.symbols.declare(item.name.text, std::move(symbol), context.diagnostics);
}

std::optional<double> numberOfFile(BuildContext &context, const ast::ParamItem &item,
                                   const ast::FileValue &file) {
  ArrayRequest request;
  request.name = item.name.text;
  request.axes = 0;
  request.onlyDoubles = true;
  const std::shared_ptr<const ArrayFile> read = readArray(context, file, request);
  if (!read)
    return std::nullopt;
  if (read->values->size() == 1)
    return read->values->front();
  context.errorWithHint(file.path.range,
                        fmt::format("'{}' is a number, and the file has {} numbers",
                                    excerpt(item.name.text), read->values->size()),
                        "an array has axes: param " + excerpt(item.name.text) + "[] = ...");
  return std::nullopt;
}

} // namespace mpf
