#include "dsl/model/resolve/number_array.h"

#include "dsl/model/resolve/expression_compiler.h"
#include "dsl/model/resolve/local_names.h"
#include "dsl/support/counts.h"
#include "dsl/syntax/spelling.h"

#include <cmath>

namespace mpf {

void ArrayView::fix(uint64_t index) {
  place_ = place_ * array_->shape[fixed_] + index;
  ++fixed_;
}

uint64_t ArrayView::length(size_t axis) const {
  const bool isRow = array_->isRagged && axesLeft() == 1;
  return isRow ? numbers().size() : array_->shape[fixed_ + axis];
}

std::vector<uint64_t> ArrayView::shape() const {
  std::vector<uint64_t> shape;
  for (size_t axis = 0; axis < axesLeft(); ++axis)
    shape.push_back(length(axis));
  return shape;
}

std::span<const double> ArrayView::numbers() const {
  const std::vector<double> &values = *array_->values;
  const size_t axes = array_->shape.size();
  uint64_t count = 1; // of numbers, or of rows
  for (size_t axis = fixed_; axis + array_->isRagged < axes; ++axis)
    count *= array_->shape[axis];
  if (!array_->isRagged)
    return std::span(values).subspan(place_ * count, count);
  const auto endOf = [&](uint64_t row) { return row == 0 ? 0 : array_->rowEnds[row - 1]; };
  const uint64_t begin = endOf(place_ * count), end = endOf((place_ + 1) * count);
  return std::span(values).subspan(begin, end - begin);
}

bool isArray(const BuildContext &context, const ast::Expr &expr) {
  if (expr.kind != ast::ExprKind::Ref || isLocalName(context, expr.name))
    return false;
  const auto *array = context.symbols.findAs<ArrayPtr>(expr.name);
  return array != nullptr && expr.children.size() < (*array)->shape.size();
}

std::optional<ArrayView> resolveArray(BuildContext &context, const ast::Expr &expr) {
  const ArrayPtr array = *context.symbols.findAs<ArrayPtr>(expr.name);
  ArrayView view(array);
  for (size_t axis = 0; axis < expr.children.size(); ++axis) {
    const ast::Expr &written = expr.children[axis];
    const auto code = compileIndex(context, written, *array, axis, expr.name);
    const auto index = code ? valueOf(context, *code, written.range, "an index") : std::nullopt;
    if (!index || !checkIndex(context, *index, view.length(0), expr.name, written.range))
      return std::nullopt;
    view.fix(static_cast<uint64_t>(*index));
  }
  return view;
}

bool checkIndex(BuildContext &context, double index, uint64_t length, const std::string &name,
                SourceRange range) {
  if (index >= 0 && index < static_cast<double>(length) && index == std::floor(index))
    return true;
  if (length == 0)
    context.error(range, "index {} of '{}': this row has no entries", index, excerpt(name));
  else if (index != std::floor(index))
    context.error(range, "index {} of '{}' is no whole number", index, excerpt(name));
  else
    context.error(range, "index {} of '{}' is outside 0..{}", index, excerpt(name), length - 1);
  return false;
}

uint32_t slotOf(BuildContext &context, const ArrayPtr &array) {
  ReadArrays &read = context.readArrays;
  const auto [known, isNew] =
      read.slots.try_emplace(array.get(), static_cast<uint32_t>(read.entries.arrays.size()));
  if (isNew)
    read.entries.arrays.push_back({array->values, array->rowEnds, array->shape.back()});
  return known->second;
}

namespace {

/// Returns the lengths of what size(...) is asked of; nothing after reporting.
std::optional<std::vector<uint64_t>> lengthsOf(BuildContext &context, const ast::Expr &expr) {
  if (isArray(context, expr)) {
    const auto view = resolveArray(context, expr);
    return view ? std::optional(view->shape()) : std::nullopt;
  }
  const Symbol *symbol =
      expr.kind == ast::ExprKind::Ref ? context.symbols.find(expr.name) : nullptr;
  if (symbol != nullptr && symbol->isBroken())
    return std::nullopt;
  if (symbol != nullptr && expr.children.empty()) {
    if (const auto *variable = std::get_if<VariableSymbol>(&symbol->what);
        variable && !variable->dims.empty())
      return variable->dims;
    if (const auto *domain = std::get_if<DomainPtr>(&symbol->what))
      return std::vector<uint64_t>{(*domain)->extent};
  }
  if (expr.kind == ast::ExprKind::Ref && symbol == nullptr)
    reportUnknown(context, expr.range, fmt::format("nothing is called '{}'", excerpt(expr.name)),
                  context.symbols.hintFor(expr.name));
  else
    context.error(expr.range, "size(...) is for an array, an array of variables or a domain");
  return std::nullopt;
}

} // namespace

std::optional<uint64_t> resolveSize(BuildContext &context, const ast::Expr &call) {
  const auto lengths = lengthsOf(context, call.children[0]);
  if (!lengths)
    return std::nullopt;
  if (call.children.size() == 1)
    return lengths->front();
  const auto axis = foldInteger(context, call.children[1], "the axis of size(...)", 0,
                                static_cast<int64_t>(lengths->size()) - 1);
  return axis ? std::optional((*lengths)[static_cast<size_t>(*axis)]) : std::nullopt;
}

} // namespace mpf
