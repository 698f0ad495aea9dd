#include "dsl/model/build/build_factor.h"

#include "dsl/model/mpf_names.h"
#include "dsl/model/resolve/local_names.h"
#include "dsl/model/resolve/variable_ref.h"
#include "dsl/support/expression/check_expression.h"
#include "dsl/support/numbers/table_number.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace mpf {

namespace {

/// Returns the value that gives the entries, also that of `input default`.
const ast::Value &writtenValue(const ast::Value &value) {
  const auto *input = std::get_if<ast::InputValue>(&value.node);
  return input != nullptr && !input->defaults.empty() ? input->defaults.front() : value;
}

/// Sets the values in the form that StoredValues reads.
void setValues(TableValues stored, uint64_t elems, Factor &factor) {
  factor.values = factor.wide = nullptr;
  (stored->size() != elems ? factor.wide : factor.values) = std::move(stored);
}

/// Returns doubles for checks that need no more. An entry that no double holds becomes the nearest
/// finite one other than 0. `made` stores the result if the table has such entries.
std::span<const double> nearestValues(const std::vector<double> &table, uint64_t elems,
                                      std::vector<double> &made) {
  const StoredValues stored(table, elems);
  if (!stored.isWide())
    return table;
  made.resize(elems);
  for (uint64_t i = 0; i < elems; ++i)
    made[i] = nearestFinite(stored.at(i));
  return made;
}

} // namespace

bool FactorBuilder::roomForFactor(SourceRange range, size_t scopeSize) {
  const ModelLimits &limits = context_.options.limits;
  if (context_.model.factors.size() >= limits.maxFactors) {
    context_.error(range, "the model has more than {} factors, the limit", limits.maxFactors);
    return false;
  }
  if (context_.totals.scopeEntries + scopeSize > limits.maxScopeEntries) {
    context_.beyondLimit(range,
                         fmt::format("the scopes have more than {} entries in all, the limit",
                                     limits.maxScopeEntries));
    return false;
  }
  context_.totals.scopeEntries += scopeSize;
  return true;
}

std::optional<BuiltTable> FactorBuilder::addTable(const ast::Value &value, const TableOwner &owner,
                                                  Factor &factor) {
  const bool isInput = std::holds_alternative<ast::InputValue>(value.node);
  if (isInput && std::get<ast::InputValue>(value.node).defaults.empty())
    return BuiltTable{};
  const ast::Value &written = writtenValue(value);
  std::optional<BuiltTable> table = tables_.build(written, owner);
  if (!table)
    return std::nullopt;
  if (isInput && table->formula) {
    const std::vector<uint32_t> direct = paramsOf(*table->formula);
    std::set<uint32_t> slots(direct.begin(), direct.end());
    addSources(context_.model.params, slots);
    context_.error(written.range,
                   "the default of {} depends on param '{}', which cases set: entries that cases "
                   "give are numbers where they give none",
                   excerpt(owner.name, 80), excerpt(context_.model.params[*slots.begin()].name));
    return std::nullopt;
  }
  factor.formula = table->formula;
  return setTable(value, owner, table->values, factor) ? table : std::nullopt;
}

bool FactorBuilder::setTable(const ast::Value &value, const TableOwner &owner, TableValues stored,
                             Factor &factor) {
  const uint64_t elems = scopeElems(context_.model, factor.scope);
  if (!std::holds_alternative<ast::InputValue>(value.node)) {
    setValues(std::move(stored), elems, factor);
    return true;
  }
  if (stored->size() != elems) {
    context_.error(writtenValue(value).range,
                   "the default of {} has entries that no double holds, and entries of 'input' are "
                   "doubles",
                   excerpt(owner.name, 80));
    return false;
  }
  factor.defaults = std::move(stored);
  return true;
}

bool FactorBuilder::mayRepeat(const ast::FactorDecl &decl, const WrittenScope &scope,
                              const std::string &name) {
  if (!scope.repeats() || !std::holds_alternative<ast::InputValue>(decl.value.node))
    return true;
  context_.error(decl.name.range,
                 "{} names a variable twice, and is an input: write {}, and give the diagonal's "
                 "values",
                 excerpt(name, 80), scopeText(context_.model, scope.variables));
  return false;
}

bool FactorBuilder::namesEachOnce(std::span<const ast::VarRef> refs, const WrittenScope &scope,
                                  SourceRange head) {
  if (!scope.repeats())
    return true;
  const VarId child = scope.axes.back();
  std::vector<VarId> before;
  const auto again = std::ranges::find_if(scope.axes, [&](VarId id) {
    const bool isThere = std::ranges::find(before, id) != before.end();
    before.push_back(id);
    return isThere;
  });
  const bool hasLists = scope.axes.size() != refs.size();
  context_.error(hasLists ? head : refs[static_cast<size_t>(again - scope.axes.begin())].range,
                 "'{}' occurs twice in P({} | ...): a conditional table names each variable once; "
                 "a factor is the diagonal of its table",
                 excerpt(context_.model.variable(*again).name),
                 excerpt(context_.model.variable(child).name));
  return false;
}

void FactorBuilder::addFactor(const ast::FactorDecl &decl) {
  const std::string &family = decl.name.text;
  Factor factor;
  factor.name = factor.family = family;
  for (const LoopIndex &index : context_.loop)
    factor.name += '[' + std::to_string(index.value) + ']';
  const auto add = [&] {
    auto scope = resolveScope(context_, decl.scope, decl.name.range);
    if (!scope || !roomForFactor(decl.name.range, scope->axes.size()) ||
        !mayRepeat(decl, *scope, factor.name))
      return false;
    factor.place = context_.at(decl.value.range);
    TableOwner owner{factor.name, {}, decl.name.range, placesOfAxes(*scope)};
    owner.scope = std::move(scope->axes);
    factor.scope = std::move(scope->variables);
    WhereScope where(context_, decl.where);
    if (!where.check() || !addTable(decl.value, owner, factor))
      return false;
    const FactorId id(context_.model.factors.size());
    return context_.factors.declare(family, context_.loop.size(), factor.name, id,
                                    context_.at(decl.name.range), context_.diagnostics);
  };
  if (add())
    context_.model.factors.push_back(std::move(factor));
  else
    context_.factors.declareBroken(family);
}

void FactorBuilder::addProb(const ast::ProbDecl &decl) {
  const std::string family = probName(decl.child.name.text);
  Factor factor;
  factor.conditional = true;
  factor.family = family;
  const auto add = [&] {
    std::vector<ast::VarRef> refs;
    refs.reserve(decl.parents.size() + 1);
    refs = decl.parents;
    refs.push_back(decl.child);
    auto scope = resolveScope(context_, refs, decl.head);
    if (!scope || !roomForFactor(decl.head, scope->axes.size()))
      return false;
    const bool hasLists = scope->axes.size() != refs.size();
    if (hasLists && !resolveVariable(context_, decl.child))
      return false;
    if (!namesEachOnce(refs, *scope, decl.head))
      return false;
    factor.scope = std::move(scope->variables);
    factor.name = probName(context_.model.variable(factor.scope.back()).name);
    factor.place = context_.at(decl.value.range);
    const TableOwner owner{probNotation(context_.model, factor.scope), factor.scope, decl.head};
    WhereScope where(context_, decl.where);
    const auto table =
        where.check() ? addTable(decl.value, owner, factor) : std::optional<BuiltTable>();
    if (!table)
      return false;
    if (!context_.factors.declare(family, decl.child.indices.size(), factor.name,
                                  FactorId(context_.model.factors.size()), context_.at(decl.head),
                                  context_.diagnostics))
      return false;
    // Wrong rows do not remove the factor: queries over it need no second message.
    if (table->values && !isSwept(context_.model, table->formula.get())) {
      TableValues judged = table->values;
      const size_t errorsBefore = context_.diagnostics.errorCount();
      checkRows(writtenValue(decl.value), owner, judged, factor.formula != nullptr);
      if (context_.diagnostics.errorCount() > errorsBefore)
        noteOneNumber(writtenValue(decl.value), factor.scope.back());
      setTable(decl.value, owner, std::move(judged), factor);
    }
    return true;
  };
  if (add())
    context_.model.factors.push_back(std::move(factor));
  else
    context_.factors.declareBroken(family);
}

/// Says of rows with a wrong sum that one number stands for all states.
void FactorBuilder::noteOneNumber(const ast::Value &value, VarId child) {
  const auto *expr = std::get_if<ast::Expr>(&value.node);
  if (expr != nullptr && expr->kind == ast::ExprKind::Number)
    context_.diagnostics.note(context_.at(value.range),
                              "one number stands for all {} states here: write one for each, as in "
                              "[0.8, 0.2]",
                              context_.model.variable(child).extent);
}

void FactorBuilder::checkRows(const ast::Value &value, const TableOwner &owner, TableValues &table,
                              bool hasFormula) {
  const Model &model = context_.model;
  const uint64_t childExtent = model.variable(owner.scope.back()).extent;
  const std::span<const VarId> parents(owner.scope.data(), owner.scope.size() - 1);
  const auto name = [&owner] { return excerpt(owner.name, 80); };
  const auto describeRow = [&](uint64_t row) {
    return DescribedRow{context_.at(rowRange(value, owner, row, childExtent)),
                        parents.empty()
                            ? "the row of " + name()
                            : fmt::format("row {} of {}", entryText(model, parents, row), name())};
  };
  JudgedRows judged =
      context_.rows.judge({*table, scopeElems(model, owner.scope), childExtent, describeRow,
                           [&] {
                             return DescribedRow{context_.at(owner.range), name()};
                           },
                           hasFormula});
  if (!judged.divided.empty())
    table = context_.tables.intern(std::move(judged.divided));
}

/// Makes the written values the target: the posterior of the variable. The likelihood that gives it
/// is fitted later.
bool FactorBuilder::makeTarget(const ast::ObserveItem &item, Factor &factor) {
  const std::string name = excerpt(context_.model.variable(factor.scope.front()).name);
  if (factor.formula) {
    context_.error(item.weights.range,
                   "the posterior of '{}' depends on params that cases set: it is fitted once",
                   name);
    return false;
  }
  const TableValues stored = storedValues(factor);
  const uint64_t states = context_.model.variable(factor.scope.front()).extent;
  if (const auto fault = findRowFault(StoredValues(*stored, states), states)) {
    context_.error(item.weights.range, "the posterior of '{}' sums to {}, it must be 1", name,
                   fault->sumText());
    return false;
  }
  setValues(context_.tables.intern(std::vector<double>(states, 1.0)), states, factor);
  factor.target = stored;
  return true;
}

bool FactorBuilder::hasEntryPerState(const ast::ObserveItem &item, VarId variable) {
  const auto *expr = std::get_if<ast::Expr>(&normalisedValue(item.weights).node);
  if (expr == nullptr || isWholeValue(context_, *expr))
    return true;
  const auto weight = compileExpression(context_, *expr, std::span(&variable, 1));
  if (!weight || readsStates(*weight))
    return weight.has_value();
  constexpr uint32_t kMostShown = 4;
  const Variable &declared = context_.model.variable(variable);
  std::string entries, states;
  for (uint32_t i = 0; i < std::min(declared.extent, kMostShown); ++i) {
    entries += i == 0 ? "0.1" : fmt::format(", 0.{}", std::min(i * 3 + 1, 9U));
    states +=
        fmt::format("{}{}", i == 0 ? "" : ", ",
                    declared.labels.empty() ? std::to_string(i) : spellName(declared.labels[i]));
  }
  const std::string more = declared.extent > kMostShown ? ", ..." : "";
  context_.errorWithHint(item.weights.range,
                         fmt::format("soft evidence on '{}' is one number, the same for all its "
                                     "states: it says nothing",
                                     excerpt(declared.name)),
                         fmt::format("a weight for each state ({}{}): {} ~ [{}{}]", states, more,
                                     excerpt(declared.name), entries, more));
  return false;
}

void FactorBuilder::addSoftEvidence(const ast::ObserveItem &item, VarId variable) {
  const std::string &name = context_.model.variable(variable).name;
  Factor factor;
  factor.name = factor.family = fmt::format("soft({})", name);
  factor.scope = {variable};
  const TableOwner owner{"the evidence on " + name, factor.scope, item.range};
  // A posterior of one number is checked by its sum.
  const bool isLikelihood = item.kind != ast::ObserveKind::Posterior;
  if (!roomForFactor(item.range, 1) || (isLikelihood && !hasEntryPerState(item, variable)))
    return;
  const auto table = tables_.build(item.weights, owner);
  if (!table)
    return;
  const uint64_t elems = scopeElems(context_.model, factor.scope);
  std::vector<double> made;
  const std::span<const double> values = nearestValues(*table->values, elems, made);
  const bool swept = isSwept(context_.model, table->formula.get());
  for (size_t i = 0; i < values.size() && !swept; ++i)
    if (values[i] < 0 || std::isinf(values[i])) {
      context_.error(item.weights.range,
                     "the likelihood {} of {} cannot be {}, it must be finite and not negative", i,
                     excerpt(name), values[i]);
      return;
    }
  if (!swept && std::ranges::all_of(values, [](double value) { return value == 0; })) {
    context_.error(item.weights.range, "the evidence on {} rules out all of its {} states",
                   excerpt(name), values.size());
    return;
  }
  factor.formula = table->formula;
  setValues(table->values, elems, factor);
  if (item.kind == ast::ObserveKind::Posterior && !makeTarget(item, factor))
    return;
  if (context_.factors.declare(factor.family, 0, factor.name,
                               FactorId(context_.model.factors.size()), context_.at(item.range),
                               context_.diagnostics)) {
    context_.model.evidence.likelihoods.emplace_back(context_.model.factors.size());
    context_.model.factors.push_back(std::move(factor));
  }
}

} // namespace mpf
