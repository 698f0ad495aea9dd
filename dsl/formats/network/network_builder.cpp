#include "dsl/formats/network/network_builder.h"

#include "dsl/formats/network/model_name.h"
#include "dsl/model/mpf_names.h"
#include "dsl/source/suggest.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>

namespace mpf {

namespace {

constexpr std::string_view kRowHint = "--normalise divides each row by its sum";

} // namespace

NetworkBuilder::NetworkBuilder(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                               const ModelLimits &limits)
    : buffer_(std::move(buffer)), diagnostics_(diagnostics), limits_(limits),
      errorsBefore_(diagnostics.errorCount()), rows_(diagnostics, {false, kRowHint, kRowHint}) {}

NetworkBuilder::NetworkBuilder(Model model, Diagnostics &diagnostics, const ModelLimits &limits)
    : NetworkBuilder(std::shared_ptr<const SourceBuffer>(), diagnostics, limits) {
  model_ = std::move(model);
  variablePlaces_.resize(model_.variables.size());
  tablePlaces_.resize(model_.variables.size());
  states_.resize(model_.variables.size());
  for (size_t v = 0; v < model_.variables.size(); ++v) {
    const Variable &variable = model_.variables[v];
    extents_.push_back(variable.extent);
    names_.emplace(variable.name, VarId(v));
    for (const std::string &label : variable.labels)
      states_[v].emplace(label, static_cast<uint32_t>(states_[v].size()));
  }
  for (const Factor &factor : model_.factors) {
    children_.push_back(factor.conditional ? factor.scope.back() : VarId());
    if (factor.conditional)
      tablePlaces_[factor.scope.back().index()].emplace();
  }
}

void NetworkBuilder::reserveVariables(size_t count) {
  model_.variables.reserve(count);
  extents_.reserve(count);
  variablePlaces_.reserve(count);
  tablePlaces_.reserve(count);
}

void NetworkBuilder::reserveFactors(size_t count) {
  model_.factors.reserve(count);
  children_.reserve(count);
}

bool NetworkBuilder::hasRoom(SourceRange place) {
  return model_.variables.size() < limits_.maxVariables ||
         error(place, "the file has more than {} variables, the limit", limits_.maxVariables);
}

std::optional<NamedVariable> NetworkBuilder::startVariable(const PlacedText &name) {
  if (name.text.empty()) {
    error(name.range, "this variable has an empty name");
    return std::nullopt;
  }
  if (const auto found = names_.find(name.text); found != names_.end()) {
    error(name.range, "'{}' is declared twice", excerpt(name.text));
    diagnostics_.note(placeOf(variablePlaces_[found->second.index()]),
                      "the first declaration is here");
    return std::nullopt;
  }
  if (!hasRoom(name.range))
    return std::nullopt;
  return NamedVariable{std::string(name.text), name.range, {}, {}};
}

bool NetworkBuilder::addState(NamedVariable &variable, const PlacedText &label) {
  if (label.text.empty())
    return error(label.range, "a state of '{}' has an empty name", excerpt(variable.name));
  if (variable.labels.size() >= limits_.maxExtent)
    return error(label.range, "'{}' has more than {} states, the limit", excerpt(variable.name),
                 limits_.maxExtent);
  const auto state = static_cast<uint32_t>(variable.labels.size());
  if (!variable.states.emplace(label.text, state).second)
    return error(label.range, "'{}' has the state '{}' twice", excerpt(variable.name),
                 excerpt(label.text));
  variable.labels.emplace_back(label.text);
  return true;
}

bool NetworkBuilder::addVariable(NamedVariable variable) {
  if (variable.labels.empty())
    return error(variable.place, "'{}' has no states", excerpt(variable.name));
  const auto extent = static_cast<uint32_t>(variable.labels.size());
  addNamed(std::move(variable), extent);
  return true;
}

bool NetworkBuilder::addVariable(NamedVariable variable, uint32_t extent) {
  if (extent == 0)
    return error(variable.place, "'{}' has no states", excerpt(variable.name));
  if (extent > limits_.maxExtent)
    return error(variable.place, "'{}' has {} states, the limit is {}", excerpt(variable.name),
                 extent, limits_.maxExtent);
  addNamed(std::move(variable), extent);
  return true;
}

void NetworkBuilder::addNamed(NamedVariable variable, uint32_t extent) {
  const VarId id(model_.variables.size());
  MPF_CHECK(names_.emplace(variable.name, id).second, "variable {} is there already",
            variable.name);
  extents_.push_back(extent);
  variablePlaces_.push_back(variable.place);
  states_.resize(id.index()); // of numbered variables before it
  states_.push_back(std::move(variable.states));
  tablePlaces_.emplace_back();
  model_.variables.push_back({std::move(variable.name), extent, std::move(variable.labels)});
}

void NetworkBuilder::addNumberedVariable(uint32_t extent, SourceRange place, uint64_t number) {
  addUnlabelledVariable(fmt::format("x{}", number), extent, place);
}

bool NetworkBuilder::addUnlabelledVariable(std::string name, uint32_t extent, SourceRange place) {
  if (!hasRoom(place))
    return false;
  model_.variables.push_back({std::move(name), extent, {}});
  extents_.push_back(extent);
  variablePlaces_.push_back(place);
  tablePlaces_.emplace_back();
  return true;
}

std::optional<VarId> NetworkBuilder::variableNamed(std::string_view name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<uint32_t> NetworkBuilder::stateNamed(VarId variable, std::string_view label) const {
  if (variable.index() >= states_.size())
    return std::nullopt;
  const TextMap<uint32_t> &states = states_[variable.index()];
  const auto found = states.find(label);
  return found == states.end() ? std::nullopt : std::optional(found->second);
}

std::optional<VarId> NetworkBuilder::findVariable(const PlacedText &name) {
  if (const std::optional<VarId> found = variableNamed(name.text))
    return found;
  if (!incomplete_) {
    Suggestion suggestion(name.text);
    for (const Variable &variable : model_.variables)
      suggestion.offer(variable.name);
    diagnostics_.report({Severity::Error, placeOf(name.range),
                         fmt::format("no variable is called '{}'", excerpt(name.text)),
                         suggestion.hint()});
  }
  return std::nullopt;
}

std::optional<uint32_t> NetworkBuilder::findState(VarId variable, const PlacedText &label) {
  MPF_CHECK(variable.index() < states_.size(), "x{} has numbers, no labels", variable);
  if (const std::optional<uint32_t> found = stateNamed(variable, label.text))
    return found;
  const Variable &shown = model_.variable(variable);
  diagnostics_.report({Severity::Error, placeOf(label.range),
                       fmt::format("'{}' is no state of '{}', which has {}", excerpt(label.text),
                                   excerpt(shown.name), shown.extent),
                       suggestHint(label.text, std::vector<std::string_view>(shown.labels.begin(),
                                                                             shown.labels.end()))});
  return std::nullopt;
}

std::string NetworkBuilder::stateText(VarId variable, uint64_t state) const {
  const Variable &shown = model_.variable(variable);
  return shown.labels.empty() ? fmt::format("{}", state) : excerpt(shown.labels[state]);
}

bool NetworkBuilder::claimTable(VarId child, SourceRange place) {
  std::optional<SourceRange> &before = tablePlaces_[child.index()];
  if (!before) {
    before = place;
    return true;
  }
  error(place, "'{}' has a second conditional table", excerpt(model_.variable(child).name));
  diagnostics_.note(placeOf(*before), "the first one is here");
  return false;
}

FactorId NetworkBuilder::addConditional(std::vector<VarId> scope) {
  const VarId child = scope.back();
  MPF_CHECK(hasTable(child), "no place of the table of {}", model_.variable(child).name);
  const FactorId id = addFactor(probName(model_.variable(child).name), std::move(scope));
  children_.back() = child;
  return id;
}

bool NetworkBuilder::addNoisyMax(const NoisyMax &noisy, SourceRange place) {
  const uint64_t elems = chainElems(noisy), room = std::min(elemsLeft(), unlistedElemsLeft());
  if (elems > room)
    return error(place, "the tables of this noisy-max need {} entries, there is room for {}", elems,
                 room);
  useElems(elems, elems);
  const size_t factorsBefore = model_.factors.size();
  mpf::addNoisyMax(
      model_, noisy,
      {[this](std::vector<double> &&entries) { return pool_.intern(std::move(entries)); },
       [this](const std::string &name) { return names_.contains(name); }});
  // Messages about variables of the chain point to the effect.
  for (size_t v = extents_.size(); v < model_.variables.size(); ++v)
    extents_.push_back(model_.variables[v].extent);
  variablePlaces_.resize(model_.variables.size(), variablePlaces_[noisy.effect.index()]);
  tablePlaces_.resize(model_.variables.size(), tablePlaces_[noisy.effect.index()]);
  for (size_t i = factorsBefore; i < model_.factors.size(); ++i)
    children_.push_back(model_.factors[i].scope.back());
  return true;
}

FactorId NetworkBuilder::addFactor(std::string name, std::vector<VarId> scope) {
  Factor factor;
  factor.name = std::move(name);
  factor.family = factor.name;
  factor.scope = std::move(scope);
  model_.factors.push_back(std::move(factor));
  children_.emplace_back();
  return FactorId(model_.factors.size() - 1);
}

bool NetworkBuilder::hasFactorRoom(SourceRange place) {
  return model_.factors.size() < limits_.maxFactors ||
         error(place, "the model has more than {} factors, the limit", limits_.maxFactors);
}

void NetworkBuilder::addToQueries(FactorId id) {
  for (Query &query : model_.queries)
    if (!traitsOf(query.kind).isExpression())
      query.factors.push_back(id);
}

void NetworkBuilder::removeLastFactor() {
  if (children_.back().valid())
    tablePlaces_[children_.back().index()].reset();
  children_.pop_back();
  model_.factors.pop_back();
}

void NetworkBuilder::warn(NetworkCheck check) {
  rows_.report();
  if (check == NetworkCheck::ByCaller)
    return;
  const auto placeOfTable = [this](FactorId id) {
    return placeOf(*tablePlaces_[children_[id.index()].index()]);
  };
  const auto placeOfVariable = [this](VarId id) { return placeOf(variablePlaces_[id.index()]); };
  warnOfNetwork(model_, children_, {placeOfTable, placeOfVariable}, diagnostics_);
}

void NetworkBuilder::dropNumberLabels() {
  for (Variable &variable : model_.variables) {
    bool areNumbers = true;
    for (size_t i = 0; i < variable.labels.size() && areNumbers; ++i)
      areNumbers = variable.labels[i] == std::to_string(i);
    if (areNumbers)
      variable.labels.clear();
  }
}

std::optional<Model> NetworkBuilder::finish(QueryKind query, NetworkCheck check) {
  if (failed())
    return std::nullopt;
  warn(check);
  if (query == QueryKind::Marginals && model_.factors.empty())
    diagnostics_.warning(placeOf({0, 0}), "{}",
                         model_.variables.empty()
                             ? "the network has no variables"
                             : "no variable has a conditional table: each state has the weight 1");
  dropNumberLabels();
  if (model_.name.empty())
    model_.name = modelNameFor(buffer_->name());
  model_.queries.push_back(shortQuery(model_, query));
  return std::move(model_);
}

std::string rowText(const NetworkBuilder &network, std::span<const VarId> parents, uint64_t row) {
  std::vector<std::string> labels(parents.size());
  for (size_t i = parents.size(); i-- > 0;) {
    const uint64_t extent = network.model().variable(parents[i]).extent;
    labels[i] = network.stateText(parents[i], row % extent);
    row /= extent;
  }
  std::string text;
  for (const std::string &label : labels)
    text += (text.empty() ? "" : ", ") + label;
  return "(" + text + ")";
}

std::string conditionalText(const NetworkBuilder &network, VarId child, bool hasParents) {
  return fmt::format("P({}{})", excerpt(network.model().variable(child).name),
                     hasParents ? " | ..." : "");
}

} // namespace mpf
