// Entries of tables from expressions.
//
// A table is filled by blocks of entries. An entry that uses an index outside of an array is
// compiled again for its states: then only the chosen side of a choice counts, and messages name
// the index. So is each entry of an expression that reads arrays and depends on params that vary:
// its formula has the numbers of the arrays in it.
#include "dsl/model/tables/build_table.h"
#include "dsl/support/counts.h"
#include "dsl/support/expression/evaluate_expression.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

/// Returns false after reporting the first entry that is no number, or exceeds all exponents.
/// `placeOf(i)` is the place of out[i] in the table; `far` has places in the table.
template <class PlaceOf>
bool checkEntries(BuildContext &context, SourceRange range, const TableOwner &owner,
                  const PlaceOf &placeOf, std::span<const double> out,
                  std::span<const FarValue> far) {
  const auto at = [&](uint64_t index) {
    return fmt::format("the value of {} at {}", excerpt(owner.name, 80),
                       entryText(context.model, owner.scope, index));
  };
  const auto lost = std::ranges::find_if(far, isLost);
  const auto bad = std::ranges::find_if(out, [](double value) { return std::isnan(value); });
  if (bad != out.end())
    context.error(range, "{} is not a number",
                  at(placeOf(static_cast<uint64_t>(bad - out.begin()))));
  else if (lost != far.end())
    context.error(range, "{} is {} any magnitude that tables hold: 2^{} at most", at(lost->index),
                  lost->value.exponent > 0 ? "above" : "below",
                  lost->value.exponent > 0 ? kMostWideExponent : -kMostWideExponent);
  return bad == out.end() && lost == far.end();
}

bool readsArrays(const Expression &expression) {
  return std::ranges::any_of(expression.code,
                             [](const Instruction &i) { return isForBuilding(i.code); });
}

/// Fills the entries of one run.
class RunFiller {
public:
  RunFiller(BuildContext &context, const ast::Expr &expr, const TableOwner &owner,
            const EntryRun &run, TableNotes &notes)
      : context_(context), expr_(expr), owner_(owner), run_(run), notes_(notes) {
    for (const VarId id : run.scope)
      extents_.push_back(context.model.variable(id).extent);
  }

  /// Writes the values of `expression` to `values`, one for each entry of the run.
  bool fill(const Expression &expression, std::span<double> values) {
    EntryArrays &arrays = context_.readArrays.entries;
    arrays.undefined.clear();
    const size_t before = notes_.far.size();
    const FarValues far = ExpressionEvaluator().evaluate(
        expression, extents_, context_.params.values, run_.begin, values, &arrays);
    const std::vector<uint64_t> undefined = std::move(arrays.undefined);
    const size_t firstPart = notes_.parts.size();
    const bool byEntry = expression.usesParams() && readsArrays(expression);
    for (const FarValue &one : far)
      if (!byEntry && !std::ranges::binary_search(undefined, one.index))
        notes_.far.push_back({placeOf(one.index), one.value});
    if (byEntry) {
      for (uint64_t i = 0; i < values.size(); ++i)
        if (!fillOne(i, values[i], firstPart))
          return false;
    } else {
      for (const uint64_t i : undefined)
        if (!fillOne(i, values[i], firstPart))
          return false;
      if (expression.usesParams())
        addParts(expression, values.size());
    }
    return checkEntries(
        context_, expr_.range, owner_, [this](uint64_t i) { return placeOf(i); }, values,
        std::span(notes_.far).subspan(before));
  }

private:
  uint64_t placeOf(uint64_t i) const { return run_.first + i * run_.stride; }

  void addParts(const Expression &expression, uint64_t count) {
    if (run_.stride == 1) {
      notes_.parts.push_back({run_.first, run_.first + count, expression});
      return;
    }
    for (uint64_t i = 0; i < count; ++i)
      notes_.parts.push_back({placeOf(i), placeOf(i) + 1, expression});
  }

  /// Writes the value of entry `i` alone. Parts from `firstPart` on are of this expression.
  bool fillOne(uint64_t i, double &value, size_t firstPart) {
    std::vector<uint32_t> states;
    statesAt(extents_, run_.begin + i, states);
    const auto expression = compileAt(context_, expr_, run_.scope, states);
    if (!expression) {
      context_.diagnostics.note(context_.at(owner_.range), "at {} of {}",
                                entryText(context_.model, owner_.scope, placeOf(i)),
                                excerpt(owner_.name, 80));
      return false;
    }
    const FarValues far = ExpressionEvaluator().evaluate(*expression, {}, context_.params.values, 0,
                                                         std::span(&value, 1));
    if (!far.empty())
      notes_.far.push_back({placeOf(i), far.front().value});
    if (expression->usesParams())
      addPart(placeOf(i), *expression, firstPart);
    return true;
  }

  /// Adds the formula of one entry. It is part of the one before if that is the same formula; parts
  /// before `first` are of other expressions.
  void addPart(uint64_t place, const Expression &expression, size_t first) {
    if (notes_.parts.size() > first && notes_.parts.back().end == place &&
        notes_.parts.back().expression == expression)
      ++notes_.parts.back().end;
    else
      notes_.parts.push_back({place, place + 1, expression});
  }

  BuildContext &context_;
  const ast::Expr &expr_;
  const TableOwner &owner_;
  const EntryRun &run_;
  TableNotes &notes_;
  std::vector<uint32_t> extents_; ///< of run_.scope
};

bool countOperations(BuildContext &context, const Expression &expression, uint64_t count,
                     const TableOwner &owner, SourceRange range) {
  const uint64_t limit = context.options.limits.maxExpressionSteps;
  context.totals.expressionSteps =
      saturatingAdd(context.totals.expressionSteps, saturatingMul(expression.code.size(), count));
  if (context.totals.expressionSteps <= limit)
    return true;
  context.beyondLimit(range,
                      fmt::format("the expressions up to here take {} operations, the limit "
                                  "is {}",
                                  context.totals.expressionSteps, limit),
                      causesHint(owner));
  return false;
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
  return checkEntries(
      context, range, owner, [begin](uint64_t i) { return begin + i; }, out,
      std::span(notes.far).subspan(first.far));
}

bool fillRun(BuildContext &context, const Expression &expression, const ast::Expr &expr,
             const TableOwner &owner, const EntryRun &run, uint64_t begin, std::span<double> out,
             TableNotes &notes) {
  if (!countOperations(context, expression, run.count, owner, expr.range))
    return false;
  const uint64_t first = run.first - begin;
  if (expression.isConstant() && !std::isnan(expression.constant())) {
    for (uint64_t i = 0; i < run.count; ++i)
      out[first + i * run.stride] = expression.constant();
    return true;
  }
  RunFiller filler(context, expr, owner, run, notes);
  if (run.stride == 1)
    return filler.fill(expression, out.subspan(first, run.count));
  std::vector<double> values(run.count);
  if (!filler.fill(expression, values))
    return false;
  for (uint64_t i = 0; i < run.count; ++i)
    out[first + i * run.stride] = values[i];
  return true;
}

bool fillExpression(BuildContext &context, const Expression &expression, const ast::Expr &expr,
                    const TableOwner &owner, uint64_t begin, std::span<double> out,
                    TableNotes &notes) {
  const EntryRun run{owner.scope, begin, out.size(), begin, 1};
  return fillRun(context, expression, expr, owner, run, begin, out, notes);
}

} // namespace mpf
