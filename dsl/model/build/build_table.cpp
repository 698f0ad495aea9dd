#include "dsl/model/build/build_table.h"

#include "dsl/model/diagonal.h"
#include "dsl/model/resolve/read_array.h"
#include "dsl/model/resolve/variable_ref.h"
#include "dsl/support/counts.h"
#include "dsl/support/expression/evaluate_expression.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

std::string shapeText(std::span<const uint64_t> shape) {
  std::string text;
  for (const uint64_t extent : shape)
    text += fmt::format("{}{}", text.empty() ? "" : " x ", extent);
  return text;
}

/// How the axes of an array relate to those of the scope. Files may merge neighbouring axes (a
/// matrix of rows over several parents) and omit axes of one state.
enum class Axes { Same, Merged };

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

/// Returns a hint for a table that is too large because of its many parents: noisyor or noisymax.
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

/// Returns whether an array of `shape` with `count` values fits a table over `extents`: flat, or
/// nested like the scope. Reports if it does not.
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
                          isDiagonal ? "name each variable once to give the diagonal alone" : "");
    return false;
  }
  if (shape.size() > 1 && !axesMatch(shape, extents, axes)) {
    context.error(range, "table of {} is {}, its scope {} needs {}", excerpt(owner.name, 80),
                  shapeText(shape), rest,
                  shapeText(std::vector<uint64_t>(extents.begin(), extents.end())));
    return false;
  }
  return true;
}

} // namespace

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

bool fillArray(BuildContext &context, const ast::ArrayLiteral &array, const TableOwner &owner,
               std::span<const uint32_t> extents, uint64_t begin, std::span<double> out,
               TableNotes &notes) {
  if (!fits(context, array.shape, Axes::Same, array.values.size(), owner, extents, array.range))
    return false;
  std::ranges::copy(array.values, out.begin());
  bool ok = true;
  for (const ast::ComputedElement &element : array.computed) {
    const auto value = compileExpression(context, element.expr, {});
    ok &= value && fillExpression(context, *value, element.expr, owner, begin + element.index,
                                  out.subspan(element.index, 1), notes);
  }
  return ok;
}

namespace {

/// Returns false after reporting the first entry that is no number, or exceeds all exponents.
bool checkEntries(BuildContext &context, SourceRange range, const TableOwner &owner, uint64_t begin,
                  std::span<const double> out, std::span<const FarValue> far) {
  const auto at = [&](uint64_t index) {
    return fmt::format("the value of {} at {}", excerpt(owner.name, 80),
                       entryText(context.model, owner.scope, index));
  };
  const auto lost = std::ranges::find_if(far, isLost);
  const auto bad = std::ranges::find_if(out, [](double value) { return std::isnan(value); });
  if (bad != out.end())
    context.error(range, "{} is not a number",
                  at(begin + static_cast<uint64_t>(bad - out.begin())));
  else if (lost != far.end())
    context.error(range, "{} is {} any magnitude that tables hold: 2^{} at most", at(lost->index),
                  lost->value.exponent > 0 ? "above" : "below",
                  lost->value.exponent > 0 ? kMostWideExponent : -kMostWideExponent);
  return bad == out.end() && lost == far.end();
}

} // namespace

bool exponentiate(BuildContext &context, SourceRange range, const TableOwner &owner, uint64_t begin,
                  std::span<double> out, TableNotes &notes, NotesBefore first) {
  for (size_t part = first.parts; part < notes.parts.size(); ++part)
    notes.parts[part].expression.code.push_back({OpCode::Exp, 0, 0});
  std::vector<WideValue> logarithms;
  for (const double value : out)
    logarithms.push_back(WideValue::of(value));
  for (size_t i = first.far; i < notes.far.size(); ++i)
    logarithms[notes.far[i].index - begin] = {notes.far[i].value.mantissa,
                                              notes.far[i].value.exponent};
  notes.far.resize(first.far);
  for (uint64_t i = 0; i < out.size(); ++i) {
    const WideValue value = applyWideUnary(OpCode::Exp, logarithms[i]);
    out[i] = value.isPlain() ? value.value : value.number().nearest();
    if (!value.isPlain())
      notes.far.push_back({begin + i, value.number()});
  }
  return checkEntries(context, range, owner, begin, out, std::span(notes.far).subspan(first.far));
}

bool fillExpression(BuildContext &context, const Expression &expression, const ast::Expr &expr,
                    const TableOwner &owner, uint64_t begin, std::span<double> out,
                    TableNotes &notes) {
  const uint64_t limit = context.options.limits.maxExpressionSteps;
  context.expressionSteps =
      saturatingAdd(context.expressionSteps, saturatingMul(expression.code.size(), out.size()));
  if (context.expressionSteps > limit) {
    context.errorWithHint(expr.range,
                          fmt::format("the expressions up to here take {} operations, the limit "
                                      "is {}",
                                      context.expressionSteps, limit),
                          causesHint(owner));
    return false;
  }
  if (expression.isConstant() && !std::isnan(expression.constant())) {
    std::ranges::fill(out, expression.constant());
    return true;
  }
  std::vector<uint32_t> extents;
  for (const VarId id : owner.scope)
    extents.push_back(context.model.variable(id).extent);
  FarValues far =
      ExpressionEvaluator().evaluate(expression, extents, context.paramValues, begin, out);
  for (FarValue &one : far)
    one.index += begin;
  if (expression.usesParams())
    notes.parts.push_back({begin, begin + out.size(), expression});
  notes.far.insert(notes.far.end(), far.begin(), far.end());
  return checkEntries(context, expr.range, owner, begin, out, far);
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

std::optional<TableBuilder::Entries> TableBuilder::entries(const ast::Value &value,
                                                           const TableOwner &owner,
                                                           std::span<const uint32_t> extents) {
  Entries made;
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
    if (array->values.size() != elemsOf(extents)) {
      fits(context_, array->shape, Axes::Same, array->values.size(), owner, extents, array->range);
      return std::nullopt;
    }
    made.values.resize(array->values.size());
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
    context_.tableElems += elems;
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
  if (elems > limits.maxTableElems && (!array || array->values.size() == elems)) {
    context_.errorWithHint(
        owner.range,
        fmt::format("table of {} over {} needs {} entries, the limit is {}",
                    excerpt(owner.name, 80), scopeText(context_.model, owner.scope),
                    elems == UINT64_MAX ? "more than 2^64" : fmt::format("{}", elems),
                    limits.maxTableElems),
        causesHint(owner));
    return std::nullopt;
  }
  if (elems <= limits.maxTableElems && context_.tableElems + elems > limits.maxTotalElems) {
    context_.error(owner.range, "the tables up to {} need {} entries, the limit is {}",
                   excerpt(owner.name, 80), context_.tableElems + elems, limits.maxTotalElems);
    return std::nullopt;
  }
  Expression expression;
  if (expr) {
    auto compiled = compileExpression(context_, *expr, owner.scope);
    if (!compiled)
      return std::nullopt;
    expression = std::move(*compiled);
  }
  const bool sharable = expr || (array && array->computed.empty()) ||
                        std::holds_alternative<ast::FileValue>(numbers.node);
  if (const auto found = remembered_.find(&value);
      sharable && found != remembered_.end() && found->second.extents == extents &&
      found->second.places == owner.places && found->second.expression.code == expression.code)
    return BuiltTable{found->second.values, false, found->second.formula};
  std::optional<Entries> made;
  if (expr) {
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
    remembered_[&value] = {std::move(extents), owner.places, std::move(expression), built.values,
                           built.formula};
  return built;
}

} // namespace mpf
