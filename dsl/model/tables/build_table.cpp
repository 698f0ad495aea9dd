#include "dsl/model/tables/build_table.h"

#include "dsl/model/diagonal.h"
#include "dsl/model/resolve/index_list.h"
#include "dsl/model/resolve/number_array.h"
#include "dsl/model/resolve/read_array.h"
#include "dsl/model/resolve/variable_ref.h"
#include "dsl/support/counts.h"
#include "dsl/support/expression/evaluate_expression.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

bool axesMatch(std::span<const uint64_t> shape, std::span<const uint32_t> extents, Axes axes) {
  if (axes == Axes::Same)
    return std::ranges::equal(shape, extents,
                              [](uint64_t a, uint32_t b) { return a == uint64_t{b}; });
  size_t next = 0;
  for (const uint64_t length : shape) {
    uint64_t merged = 1;
    while (merged < length && next < extents.size())
      merged *= extents[next++];
    if (merged != length)
      return false;
  }
  return true; // the counts agree, so that remaining axes have one state
}

/// "a number for each state of x (no, yes)", "a row for each state of y, with a number for each
/// state of x (no, yes)".
std::string entriesHint(const Model &model, std::span<const VarId> scope) {
  constexpr size_t kMostLabels = 8, kMostFront = 3;
  if (scope.empty())
    return {};
  const Variable &last = model.variable(scope.back());
  std::string text = fmt::format("a number for each state of {}", excerpt(last.name));
  if (!last.labels.empty() && last.labels.size() <= kMostLabels) {
    text += " (";
    for (const std::string &label : last.labels)
      text += (&label == &last.labels.front() ? "" : ", ") + excerpt(label);
    text += ")";
  }
  if (scope.size() == 1 || scope.size() > kMostFront + 1)
    return scope.size() == 1 ? text : std::string();
  std::string front;
  for (const VarId id : scope.first(scope.size() - 1))
    front += (front.empty() ? "" : ", ") + excerpt(model.variable(id).name);
  return fmt::format("a row for each state of {}, with {}", front, text);
}

} // namespace

std::string causesHint(const TableOwner &owner) {
  constexpr size_t kFewParents = 8;
  if (!owner.name.starts_with("P(") || owner.scope.size() <= kFewParents + 1)
    return {};
  return "a noisy-or or noisy-max is planned as small tables: prob P(y | a, b, ...) = "
         "noisyor(leak = 0.01, [0.9, 0.8, ...]), with what each cause brings about alone";
}

uint64_t elemsOf(std::span<const uint32_t> extents) {
  uint64_t elems = 1;
  for (const uint32_t extent : extents)
    elems = saturatingMul(elems, extent);
  return elems;
}

bool fits(BuildContext &context, std::span<const uint64_t> shape, Axes axes, uint64_t count,
          const TableOwner &owner, std::span<const uint32_t> extents, SourceRange range) {
  const uint64_t needed = elemsOf(extents);
  const std::span<const VarId> scope(owner.scope);
  const std::string rest = scopeText(context.model, scope.last(extents.size()));
  if (count != needed) {
    const bool isDiagonal = !owner.places.empty() && extents.size() == scope.size() &&
                            count == elemsOf(diagonalExtents(extents, owner.places));
    context.errorWithHint(range,
                          fmt::format("table of {} has {} values, its scope {} needs {}",
                                      excerpt(owner.name, 80), count, rest, needed),
                          isDiagonal ? "name each variable once to give the diagonal alone"
                          : count == 2 * needed && extents.size() == 1
                              ? "a number has a point, 0.8: ',' begins the next number"
                              : entriesHint(context.model, scope.last(extents.size())));
    return false;
  }
  if (shape.size() > 1 && !axesMatch(shape, extents, axes)) {
    context.error(range, "table of {} is {}, its scope {} needs {}", excerpt(owner.name, 80),
                  dimsText(shape), rest,
                  dimsText(std::vector<uint64_t>(extents.begin(), extents.end())));
    return false;
  }
  return true;
}

std::string entryText(const Model &model, std::span<const VarId> scope, uint64_t index) {
  std::vector<uint32_t> extents, states;
  for (const VarId id : scope)
    extents.push_back(model.variable(id).extent);
  statesAt(extents, index, states);
  std::string text = "(";
  for (size_t i = 0; i < scope.size() && i < 12; ++i) {
    const Variable &variable = model.variable(scope[i]);
    text += fmt::format("{}{}={}", i == 0 ? "" : ", ", excerpt(variable.name),
                        variable.labels.empty() ? fmt::format("{}", states[i])
                                                : excerpt(variable.labels[states[i]]));
  }
  return text + (scope.size() > 12 ? ", ...)" : ")");
}

void TableBuilder::Entries::own() {
  if (ofFile)
    values = *ofFile;
  ofFile = nullptr;
}

std::optional<TableBuilder::Entries> TableBuilder::readFile(const ast::FileValue &file,
                                                            const TableOwner &owner,
                                                            std::span<const uint32_t> extents) {
  ArrayRequest request;
  if (!owner.scope.empty())
    request.labels = context_.model.variable(owner.scope.back()).labels;
  const std::shared_ptr<const ArrayFile> read = readArray(context_, file, request);
  if (!read || !fits(context_, read->shape, Axes::Merged, read->values->size(), owner, extents,
                     file.path.range))
    return std::nullopt;
  return Entries{{}, {{}, read->far}, read->values};
}

bool isWholeValue(const BuildContext &context, const ast::Expr &expr) {
  return isArray(context, expr) || arrayFunction(context, expr) != nullptr;
}

std::optional<TableBuilder::Entries> TableBuilder::wholeValue(const ast::Expr &expr,
                                                              const TableOwner &owner,
                                                              std::span<const uint32_t> extents) {
  Entries made;
  if (const FunctionSymbol *function = arrayFunction(context_, expr)) {
    made.values.resize(elemsOf(extents));
    return fillCall(context_, *function, expr, owner, made.values, made.notes)
               ? std::optional(std::move(made))
               : std::nullopt;
  }
  const auto view = resolveArray(context_, expr);
  if (!view)
    return std::nullopt;
  if (view->isRagged()) {
    context_.error(expr.range, "the rows of '{}' have different lengths: it is no table",
                   excerpt(expr.name));
    return std::nullopt;
  }
  const std::span<const double> numbers = view->numbers();
  if (!fits(context_, view->shape(), Axes::Same, numbers.size(), owner, extents, expr.range) ||
      !labelsFit(*view, expr, owner))
    return std::nullopt;
  const auto missing =
      std::ranges::find_if(numbers, [](double number) { return std::isnan(number); });
  if (missing != numbers.end()) {
    context_.error(
        expr.range, "the value of {} at {} is not a number", excerpt(owner.name, 80),
        entryText(context_.model, owner.scope, static_cast<uint64_t>(missing - numbers.begin())));
    return std::nullopt;
  }
  if (view->isWhole())
    made.ofFile = view->array().values;
  else
    made.values.assign(numbers.begin(), numbers.end());
  return made;
}

bool TableBuilder::labelsFit(const ArrayView &view, const ast::Expr &expr,
                             const TableOwner &owner) {
  for (size_t axis = 0; axis < view.axesLeft() && axis < owner.scope.size(); ++axis) {
    const DomainInfo *const domain = view.domain(axis);
    const DomainInfo &own = *context_.domains[owner.scope[axis].index()];
    if (domain == nullptr || domain->labels.empty() || own.labels.empty() ||
        domain->labels == own.labels)
      continue;
    context_.error(expr.range, "'{}' and axis {} of this array have different labels",
                   excerpt(context_.model.variable(owner.scope[axis]).name), axis);
    return false;
  }
  return true;
}

std::optional<TableBuilder::Entries> TableBuilder::entries(const ast::Value &value,
                                                           const TableOwner &owner,
                                                           std::span<const uint32_t> extents) {
  Entries made;
  if (const auto *expr = std::get_if<ast::Expr>(&value.node))
    return wholeValue(*expr, owner, extents);
  if (const auto *exp = std::get_if<ast::ExpValue>(&value.node)) {
    auto logarithms = entries(exp->logarithms.front(), owner, extents);
    if (logarithms)
      logarithms->own();
    const bool ok = logarithms && exponentiate(context_, value.range, owner, 0, logarithms->values,
                                               logarithms->notes, NotesBefore({}));
    return ok ? std::move(logarithms) : std::nullopt;
  }
  if (const auto *file = std::get_if<ast::FileValue>(&value.node))
    return readFile(*file, owner, extents);
  if (const auto *array = std::get_if<ast::ArrayLiteral>(&value.node)) {
    // A short array for a big scope is reported before memory is allocated.
    if (!coversLast(owner, array->shape, extents) &&
        !fits(context_, array->shape, Axes::Same, array->values.size(), owner, extents,
              array->range))
      return std::nullopt;
    made.values.resize(elemsOf(extents));
    return fillArray(context_, *array, owner, extents, 0, made.values, made.notes)
               ? std::optional(std::move(made))
               : std::nullopt;
  }
  made.values.resize(elemsOf(extents));
  return fillMap(context_, std::get<ast::MapLiteral>(value.node), owner, made.values, made.notes)
             ? std::optional(std::move(made))
             : std::nullopt;
}

BuiltTable TableBuilder::intern(Entries entries, std::vector<uint32_t> extents,
                                const std::vector<uint32_t> &places) {
  std::vector<FormulaPart> &parts = entries.notes.parts;
  std::ranges::sort(parts, {}, &FormulaPart::begin);
  if (!places.empty()) {
    entries.own();
    entries.values = diagonalValues(entries.values, extents, places);
    parts = diagonalParts(parts, extents, places);
    extents = diagonalExtents(extents, places);
  }
  const TableValues mine =
      entries.ofFile ? std::move(entries.ofFile)
                     : std::make_shared<const std::vector<double>>(std::move(entries.values));
  const uint64_t elems = mine->size();
  BuiltTable built;
  built.values = context_.tables.intern(mine, &built.isNew);
  if (built.isNew)
    context_.totals.tableElems += elems;
  if (!parts.empty())
    built.formula = context_.formulas.intern({std::move(extents), built.values, std::move(parts)});
  return built;
}

std::optional<BuiltTable> TableBuilder::build(const ast::Value &value, const TableOwner &owner) {
  if (std::holds_alternative<ast::InputValue>(value.node))
    return BuiltTable{};
  std::vector<uint32_t> extents;
  for (const VarId id : owner.scope)
    extents.push_back(context_.model.variable(id).extent);
  const uint64_t elems = elemsOf(extents);
  const ModelLimits &limits = context_.options.limits;
  const ast::Value &written = normalisedValue(value);
  const auto *expr = std::get_if<ast::Expr>(&written.node);
  const auto *exp = std::get_if<ast::ExpValue>(&written.node);
  const ast::Value &numbers = exp ? exp->logarithms.front() : written;
  const auto *array = std::get_if<ast::ArrayLiteral>(&numbers.node);
  // An array that is too short for its scope gets the message about its size instead.
  if (elems > limits.maxTableElems &&
      (!array || array->values.size() == elems || coversLast(owner, array->shape, extents))) {
    context_.beyondLimit(
        owner.range,
        fmt::format("table of {} over {} needs {} entries, the limit is {}",
                    excerpt(owner.name, 80), scopeText(context_.model, owner.scope),
                    elems == UINT64_MAX ? "more than 2^64" : fmt::format("{}", elems),
                    limits.maxTableElems),
        causesHint(owner));
    return std::nullopt;
  }
  if (elems <= limits.maxTableElems && context_.totals.tableElems + elems > limits.maxTotalElems) {
    context_.beyondLimit(owner.range,
                         fmt::format("the tables up to {} need {} entries, the limit is {}",
                                     excerpt(owner.name, 80), context_.totals.tableElems + elems,
                                     limits.maxTotalElems));
    return std::nullopt;
  }
  Expression expression;
  std::optional<ArrayView> view;
  const bool isWhole = expr != nullptr && isWholeValue(context_, *expr);
  if (isWhole && isArray(context_, *expr)) {
    view = resolveArray(context_, *expr);
    if (!view)
      return std::nullopt;
  } else if (expr && !isWhole) {
    auto compiled = compileExpression(context_, *expr, owner.scope);
    if (!compiled)
      return std::nullopt;
    expression = std::move(*compiled);
  }
  const bool sharable = (expr && (!isWhole || view)) || (array && array->computed.empty()) ||
                        std::holds_alternative<ast::FileValue>(numbers.node);
  if (const auto found = remembered_.find(&value);
      sharable && found != remembered_.end() && found->second.extents == extents &&
      found->second.places == owner.places && found->second.expression.code == expression.code &&
      found->second.view == view)
    return BuiltTable{found->second.values, false, found->second.formula};
  std::optional<Entries> made;
  if (expr && !isWhole) {
    made.emplace();
    made->values.resize(elems);
    if (!fillExpression(context_, expression, *expr, owner, 0, made->values, made->notes))
      return std::nullopt;
  } else {
    made = entries(written, owner, extents);
  }
  if (!made)
    return std::nullopt;
  const uint64_t rowElems = extents.empty() ? 1 : extents.back();
  if (&written != &value || !made->notes.far.empty())
    made->own();
  if (!made->notes.far.empty())
    made->values = widened(made->values, made->notes.far);
  if (&written != &value &&
      !normaliseRows(context_, value, owner, made->notes.parts, elems, rowElems, made->values))
    return std::nullopt;
  BuiltTable built = intern(std::move(*made), extents, owner.places);
  if (!context_.loop.empty())
    remembered_[&value] = {std::move(extents), owner.places, std::move(expression),
                           std::move(view),    built.values, built.formula};
  return built;
}

} // namespace mpf
