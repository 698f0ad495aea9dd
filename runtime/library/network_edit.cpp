// Network: what adds variables, factors and evidence.
#include "dsl/model/noisy_max.h"
#include "dsl/support/check.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"
#include "runtime/library/network_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mpf {

namespace {

void requireText(std::string_view text, std::string_view what) {
  if (text.empty())
    fail(ErrorKind::BadInput, "{} is empty", what);
  if (const auto bad = firstInvalidUtf8(text))
    fail(ErrorKind::BadInput, "{} is no UTF-8: byte {} of '{}'", what, *bad, excerpt(text));
}

/// Throws if these are no values of a table over `scope`.
void requireValues(const Model &model, std::string_view factor, const std::vector<VarId> &scope,
                   std::span<const double> values) {
  if (values.size() != scopeElems(model, scope)) {
    std::string axes;
    for (const VarId id : scope)
      axes += fmt::format("{}{}:{}", axes.empty() ? "" : ", ", excerpt(model.variable(id).name),
                          model.variable(id).extent);
    fail(ErrorKind::BadInput, "{} values were given for '{}', its scope ({}) needs {}",
         values.size(), excerpt(factor), axes, scopeElems(model, scope));
  }
  const auto nan = std::ranges::find_if(values, [](double value) { return std::isnan(value); });
  if (nan != values.end())
    fail(ErrorKind::BadInput, "value {} of '{}' is not a number", nan - values.begin(),
         excerpt(factor));
}

} // namespace

std::vector<VarId> Network::State::scopeOf(std::string_view factor,
                                           const std::vector<std::string> &names) {
  const ModelLimits &limits = builder().limits();
  if (names.size() > limits.maxScope)
    fail(ErrorKind::BadInput, "'{}' has {} variables, the limit is {}", excerpt(factor),
         names.size(), limits.maxScope);
  std::vector<VarId> scope;
  for (const std::string &name : names) {
    scope.push_back(variable(name));
    if (std::ranges::count(scope, scope.back()) > 1)
      fail(ErrorKind::BadInput, "'{}' stands twice in the scope of '{}'", excerpt(name),
           excerpt(factor));
  }
  const uint64_t elems = scopeElems(model(), scope);
  if (elems > limits.maxTableElems || elems > builder().elemsLeft())
    fail(ErrorKind::BadInput, "the table of '{}' needs {} entries, there is room for {}",
         excerpt(factor), elems, std::min(limits.maxTableElems, builder().elemsLeft()));
  return scope;
}

void Network::State::requireFreeName(std::string_view factor) {
  requireText(factor, "the name of a factor");
  if (hasFactor(factor))
    fail(ErrorKind::BadInput, "a factor is called '{}' already", excerpt(factor));
  if (model().factors.size() >= builder().limits().maxFactors)
    fail(ErrorKind::BadInput, "the network has {} factors, the limit", model().factors.size());
}

void Network::State::added(FactorId id) {
  factors_.emplace(model().factor(id).name, id);
  builder().useElems(scopeElems(model(), model().factor(id).scope), 0);
  builder().addToQueries(id);
  isBuilt = true;
}

NamedVariable Network::State::startVariable(std::string_view name) {
  requireText(name, "the name of a variable");
  if (ownVariableCount(model()) != model().variables.size())
    fail(ErrorKind::Usage, "'{}': the network has a noisy-max, whose variables are the last",
         excerpt(name));
  std::optional<NamedVariable> variable = builder().startVariable({name, {}});
  throwErrors();
  return std::move(*variable);
}

void Network::addVariable(std::string_view name, uint32_t states) {
  NamedVariable variable = state_->startVariable(name);
  state_->isBuilt |= state_->builder().addVariable(std::move(variable), states);
  state_->throwErrors();
}

void Network::addVariable(std::string_view name, const std::vector<std::string> &labels) {
  NamedVariable variable = state_->startVariable(name);
  bool areNumbers = true; // such labels say nothing
  for (size_t i = 0; i < labels.size(); ++i) {
    requireText(labels[i], fmt::format("label {} of '{}'", i, excerpt(name)));
    areNumbers &= labels[i] == std::to_string(i);
    state_->builder().addState(variable, {labels[i], {}});
    state_->throwErrors();
  }
  if (areNumbers)
    return addVariable(name, static_cast<uint32_t>(labels.size()));
  state_->isBuilt |= state_->builder().addVariable(std::move(variable));
  state_->throwErrors();
}

void Network::addFactor(std::string_view name, const std::vector<std::string> &variables,
                        std::span<const double> values) {
  state_->requireFreeName(name);
  std::vector<VarId> scope = state_->scopeOf(name, variables);
  requireValues(state_->model(), name, scope, values);
  NetworkBuilder &builder = state_->builder();
  const FactorId id = builder.addFactor(std::string(name), std::move(scope));
  builder.setValues(id, values, {});
  state_->added(id);
}

void Network::addConditional(std::string_view child, const std::vector<std::string> &parents,
                             std::span<const double> values, bool normalise) {
  std::vector<std::string> variables = parents;
  variables.emplace_back(child);
  const std::string name = fmt::format("P({})", child);
  std::vector<VarId> scope = state_->scopeOf(name, variables);
  requireValues(state_->model(), name, scope, values);
  NetworkBuilder &builder = state_->builder();
  if (builder.hasTable(scope.back()))
    fail(ErrorKind::BadInput, "'{}' has a conditional table already", excerpt(child));
  state_->requireFreeName(name);
  builder.claimTable(scope.back(), {});
  const FactorId id = builder.addConditional(std::move(scope));
  builder.rows().rule().divides = normalise;
  builder.setValues(id, values, {});
  builder.rows().rule().divides = false;
  if (builder.failed())
    builder.removeLastFactor();
  else
    state_->added(id);
  state_->throwErrors();
}

void Network::addInput(std::string_view name, const std::vector<std::string> &variables,
                       bool mayBeNegative, std::span<const double> defaults) {
  state_->requireFreeName(name);
  std::vector<VarId> scope = state_->scopeOf(name, variables);
  if (!defaults.empty())
    requireValues(state_->model(), name, scope, defaults);
  NetworkBuilder &builder = state_->builder();
  const FactorId id = builder.addFactor(std::string(name), std::move(scope));
  builder.setInput(id, defaults, mayBeNegative);
  state_->added(id);
}

void Network::setValues(std::string_view name, std::span<const double> values) {
  const FactorId id = state_->factor(name);
  const Model &model = state_->model();
  const Factor &factor = model.factor(id);
  if (model.evidence.isLikelihood(id))
    fail(ErrorKind::Usage, "'{}' is soft evidence: addLikelihood replaces it", excerpt(name));
  if (chainOf(model, id).size() > 1 || isInnerLink(model, factor))
    fail(ErrorKind::Usage, "'{}' is a noisy-max, whose table is not stored", excerpt(name));
  if (factor.uncut || factor.formula)
    fail(ErrorKind::Usage, "the values of '{}' follow from {}", excerpt(name),
         factor.uncut ? "do() in the evidence" : "params that cases set");
  requireValues(model, name, factor.scope, values);
  if (isInput(factor))
    state_->builder().setInput(id, values, factor.bindsNegative);
  else
    state_->builder().setValues(id, values, {});
  state_->isBuilt = true;
  state_->throwErrors();
}

void Network::observe(std::string_view variable, uint32_t state) {
  const VarId id = state_->variable(variable);
  const Variable &known = state_->model().variable(id);
  if (state >= known.extent)
    fail(ErrorKind::BadInput, "variable '{}' has {} states, there is no state {}",
         excerpt(variable), known.extent, state);
  const std::string value =
      known.labels.empty() ? fmt::format("{}", state) : spellString(known.labels[state]);
  state_->ask({.observe = {questionText("observe", spellName(variable) + " = " + value)}});
}

void Network::observe(std::string_view variable, std::string_view label) {
  observe(variable, state_->stateOf(state_->variable(variable), label));
}

void Network::addLikelihood(std::string_view variable, std::span<const double> weights) {
  const VarId id = state_->variable(variable);
  requireValues(state_->model(), variable, {id}, weights);
  std::string list;
  for (const double weight : weights)
    list += fmt::format("{}{}", list.empty() ? "" : ", ", formatDouble(weight));
  state_->ask({.observe = {questionText("likelihood", spellName(variable) + " ~ [" + list + "]")}});
}

void Network::unobserve(std::string_view variable) {
  state_->variable(variable);
  state_->ask({.unobserve = {questionText("unobserve", spellName(variable))}});
}

void Network::setQueries(const std::vector<std::string> &queries) {
  if (queries.empty())
    state_->edited().queries.clear();
  ModelQuestions questions;
  for (const std::string &query : queries)
    questions.queries.push_back(questionText("query", query));
  state_->ask(questions);
}

void Network::setOrder(const std::vector<std::string> &variables) {
  PartialOrder order;
  for (const std::string &name : variables)
    order.push_back(state_->variable(name));
  PartialOrder sorted = order;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
    fail(ErrorKind::BadInput, "'{}' stands twice in the order",
         excerpt(state_->model().variable(*twice).name));
  std::ranges::reverse(order); // a PartialOrder ends with the variable that is eliminated first
  std::vector<PartialOrder> &orders = state_->edited().orders;
  orders.clear();
  if (!order.empty())
    orders.push_back(std::move(order));
}

} // namespace mpf
