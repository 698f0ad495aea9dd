#include "dsl/model/build/evidence_editor.h"

#include "dsl/model/build/build_evidence.h"
#include "dsl/model/build/check_algebra.h"
#include "dsl/model/build/settle_query.h"
#include "dsl/model/cut_table.h"
#include "dsl/model/edit_evidence.h"
#include "dsl/model/resolve/variable_ref.h"
#include "dsl/syntax/parser.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <span>
#include <utility>

namespace mpf {

EvidenceEditor::EvidenceEditor(BuildContext &context)
    : context_(context), model_(context.model), factors_(context),
      factorsBefore_(model_.factors.size()), cuts_(tablesCut(model_)) {
  for (const FactorId id : model_.evidence.likelihoods)
    soft_.emplace(model_.factor(id).scope.front(), id);
  for (size_t i = 0; i < model_.queries.size(); ++i)
    if (const auto isCost = isVaryingCost(model_, model_.queries[i]);
        isCost && *isCost == (model_.queries[i].combine == Combine::Plus)) // any() is none
      varyingCosts_.push_back(i);
}

void EvidenceEditor::unobserve(const Text &text) {
  context_.source = text;
  const auto refs = parseVariables(text, context_.diagnostics);
  if (!refs)
    return;
  for (const ast::VarRef &ref : *refs)
    if (const auto named = resolveVariables(context_, std::span(&ref, 1), "the list"))
      unobserve(ref, *named);
}

void EvidenceEditor::observe(const Text &text) {
  context_.source = text;
  const auto items = parseObservations(text, context_.diagnostics);
  if (!items || !resolveAll(*items) || !requireKept(*items))
    return;
  std::vector<std::vector<VarId>> replaced(items->size());
  for (const auto &[item, id] : resolved_)
    if (isOfModel(id))
      replaced[item].push_back(id);
  for (size_t item = 0; item < items->size(); ++item)
    if (!replaced[item].empty())
      replaceEvidence((*items)[item], replaced[item]);
  addObservations(context_, factors_, {*items});
}

/// Forgets what the model observes of variables of the item, with one note.
void EvidenceEditor::replaceEvidence(const ast::ObserveItem &item,
                                     const std::vector<VarId> &replaced) {
  context_.diagnostics.note(context_.at(item.range), "in place of the model's {}",
                            replaced.size() == 1
                                ? evidenceText(replaced.front())
                                : fmt::format("evidence on {} variables of {}", replaced.size(),
                                              excerpt(item.variable.name.text)));
  std::ranges::for_each(replaced, [&](VarId id) { forget(id); });
}

void EvidenceEditor::condition(const Text &text, const std::vector<ast::ObserveItem> &items) {
  context_.source = text;
  if (!resolveAll(items))
    return;
  std::vector<bool> isKnown;
  for (const auto &[item, id] : resolved_)
    isKnown.push_back(isOfModel(id));
  addObservations(context_, factors_, {items});
  std::map<VarId, uint32_t> states;
  for (const Observation &seen : context_.evidence.observations)
    states.emplace(seen.variable, seen.state);
  std::set<VarId> same;
  for (size_t i = 0; i < resolved_.size(); ++i)
    if (const auto &[item, id] = resolved_[i]; isKnown[i] && requireSame(items[item], id, states))
      same.insert(id);
  std::erase_if(context_.evidence.observations,
                [&](const Observation &seen) { return same.contains(seen.variable); });
  std::erase_if(context_.evidence.cuts,
                [&](const PlacedCut &cut) { return same.contains(cut.set.variable); });
}

void EvidenceEditor::finish() {
  std::vector<Factor> added;
  for (std::vector<FactorId> &ids = model_.evidence.likelihoods;
       !ids.empty() && ids.back().index() >= factorsBefore_; ids.pop_back()) {
    added.push_back(std::move(model_.factors.back()));
    model_.factors.pop_back();
  }
  removeFindings(model_.evidence, gone_);
  std::set<FactorId> soft;
  for (const auto &[variable, id] : soft_)
    soft.insert(id);
  std::erase_if(model_.evidence.likelihoods,
                [&](FactorId id) { return gone_.contains(model_.factor(id).scope.front()); });
  std::ranges::for_each(added.rbegin(), added.rend(),
                        [&](Factor &factor) { place(std::move(factor)); });
  std::ranges::sort(model_.evidence.likelihoods);
  cutTables(context_);
  finishEvidence(context_);
  for (Query &query : model_.queries)
    if (traitsOf(query.kind).isExpression())
      std::erase_if(query.factors, [&](FactorId id) { return soft.contains(id); });
  for (const size_t i : varyingCosts_)
    model_.queries[i].combine =
        *isVaryingCost(model_, model_.queries[i]) ? Combine::Plus : Combine::Times;
}

void EvidenceEditor::settleQueries(std::vector<RefusedQuery> *refused) {
  std::vector<RefusedQuery> faults;
  std::vector<Query> sound;
  for (Query &query : model_.queries) {
    const QueryFault fault = settleQuery(model_, query);
    if (fault.text.empty()) {
      sound.push_back(std::move(query));
      continue;
    }
    const auto said = context_.evidence.places.find(fault.variable.value);
    faults.push_back(
        {query.name,
         {Severity::Error, said != context_.evidence.places.end() ? said->second : query.place,
          fault.text, fault.hint}});
  }
  model_.queries = std::move(sound);
  if (refused != nullptr && !model_.queries.empty())
    *refused = std::move(faults);
  else
    for (RefusedQuery &query : faults)
      context_.diagnostics.report(std::move(query.fault));
  if (model_.cases) // its columns know factors by their numbers
    return;
  std::vector<FactorId> forgotten;
  for (const auto &[variable, id] : soft_)
    if (!model_.evidence.isLikelihood(id))
      forgotten.push_back(id);
  removeFactors(model_, std::move(forgotten));
}

bool EvidenceEditor::resolveAll(const std::vector<ast::ObserveItem> &items) {
  resolved_.clear();
  bool isSound = true;
  for (size_t i = 0; i < items.size(); ++i) {
    const auto ids =
        resolveVariables(context_, std::span(&items[i].variable, 1), "the observation");
    isSound &= ids.has_value();
    for (const VarId id : ids.value_or(std::vector<VarId>()))
      resolved_.emplace_back(i, id);
  }
  return isSound;
}

bool EvidenceEditor::isObserved(VarId id) const {
  return !gone_.contains(id) && (model_.evidence.observes(id) || soft_.contains(id));
}

/// Whether the model, and no text before this one, observes it.
bool EvidenceEditor::isOfModel(VarId id) const {
  return isObserved(id) && !context_.evidence.places.contains(id.value);
}

void EvidenceEditor::unobserve(const ast::VarRef &ref, const std::vector<VarId> &named) {
  const auto isSet = [&](VarId id) { return isSetByCases(model_, id); };
  if (const auto set = std::ranges::find_if(named, isSet); set != named.end())
    return context_.errorWithHint(
        ref.range,
        fmt::format("'{}' is observed in the list of cases", excerpt(model_.variable(*set).name)),
        "--ignore-columns leaves a column of the list out");
  if (std::ranges::none_of(named, [&](VarId id) { return isObserved(id); }))
    return context_.errorWithHint(
        ref.range, fmt::format("'{}' is not observed", excerpt(ref.name.text)), observedNames());
  std::ranges::for_each(named, [&](VarId id) { forget(id); });
  unobserved_.insert(named.begin(), named.end());
}

/// Reports variables that unobserve() named. Returns whether there are none.
bool EvidenceEditor::requireKept(const std::vector<ast::ObserveItem> &items) {
  const auto isTaken = [&](const auto &one) { return unobserved_.contains(one.second); };
  const auto taken = std::ranges::find_if(resolved_, isTaken);
  if (taken == resolved_.end())
    return true;
  const std::string name = excerpt(model_.variable(taken->second).name);
  context_.errorWithHint(
      items[taken->first].range,
      fmt::format("'{}' is observed here, and its evidence is taken away by --unobserve", name),
      fmt::format("new evidence replaces the model's: leave {} out of --unobserve", name));
  return false;
}

std::string EvidenceEditor::observedNames() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < model_.variables.size(); ++i)
    if (isObserved(VarId(i)))
      names.push_back(model_.variables[i].name);
  return names.empty() ? "the model observes nothing" : "observed are " + excerptList(names);
}

/// "wet = yes", "do(wet = yes)", or "evidence on wet" that is soft or differs from case to case.
std::string EvidenceEditor::evidenceText(VarId id) const {
  const Variable &variable = model_.variable(id);
  const auto state = model_.evidence.listed ? std::nullopt : model_.evidence.state(id);
  if (!state)
    return "evidence on " + excerpt(variable.name);
  const std::string finding = fmt::format(
      "{} = {}", excerpt(variable.name),
      variable.labels.empty() ? std::to_string(*state) : excerpt(variable.labels[*state]));
  return cuts_.contains(id) ? fmt::format("do({})", finding) : finding;
}

void EvidenceEditor::forget(VarId id) {
  gone_.insert(id);
  if (const auto cut = cuts_.find(id); cut != cuts_.end()) {
    restoreTable(model_, cut->second);
    cuts_.erase(cut);
  }
  if (const auto soft = soft_.find(id); soft != soft_.end())
    setValues(model_.factors[soft->second.index()],
              std::make_shared<const std::vector<double>>(model_.variable(id).extent, 1.0),
              model_.variable(id).extent);
}

/// Reports a condition that is not what the model observes or sets of the variable. Returns whether
/// it is the same.
bool EvidenceEditor::requireSame(const ast::ObserveItem &item, VarId id,
                                 const std::map<VarId, uint32_t> &states) {
  const std::string name = excerpt(model_.variable(id).name);
  const auto given = states.find(id);
  const auto state = model_.evidence.listed ? std::nullopt : model_.evidence.state(id);
  const bool isSameState = state && given != states.end() && given->second == *state;
  const bool isSameForm = (item.kind == ast::ObserveKind::Do) == cuts_.contains(id);
  if (isSameState && isSameForm)
    return true;
  const std::string written =
      excerpt(context_.source->text().substr(item.range.begin, item.range.end - item.range.begin));
  context_.errorWithHint(
      item.range, fmt::format("the model has {} already", evidenceText(id)),
      isSameState
          ? fmt::format("write {} for that; with --unobserve {} the condition is {} instead",
                        evidenceText(id), name, written)
          : fmt::format("--unobserve {} takes that away", name));
  return false;
}

/// A new likelihood; one that it replaces has its place.
void EvidenceEditor::place(Factor factor) {
  const auto soft = soft_.find(factor.scope.front());
  const FactorId id = soft == soft_.end() ? FactorId(model_.factors.size()) : soft->second;
  model_.evidence.likelihoods.push_back(id);
  if (soft == soft_.end())
    model_.factors.push_back(std::move(factor));
  else
    model_.factors[id.index()] = std::move(factor);
}

} // namespace mpf
