#include "dsl/model/noisy_max.h"

#include "dsl/model/mpf_names.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <fmt/core.h>
#include <span>
#include <utility>

namespace mpf {

namespace {

bool isAuxiliary(const Model &model, VarId id) { return model.variable(id).auxiliary; }

/// Returns the probability that the highest state so far is `to`, if it was `before`; the lowest if
/// `takesLowest`. `row`: the probabilities of the states that this cause brings about.
double linkEntry(std::span<const double> row, size_t before, size_t to, bool takesLowest) {
  const auto isBehind = [takesLowest](size_t a, size_t b) { return takesLowest ? a < b : a > b; };
  double sum = 0;
  if (isBehind(to, before))
    sum += row[to];
  for (size_t state = 0; to == before && state < row.size(); ++state)
    if (!isBehind(state, before))
      sum += row[state];
  return sum;
}

/// P(highest so far and this cause | highest before it, cause), over these three; the lowest if
/// `takesLowest`.
std::vector<double> linkTable(const std::vector<double> &table, size_t states, bool takesLowest) {
  const size_t rows = table.size() / states;
  std::vector<double> link(states * table.size(), 0);
  for (size_t before = 0; before < states; ++before)
    for (size_t row = 0; row < rows; ++row)
      for (size_t to = 0; to < states; ++to)
        link[(before * rows + row) * states + to] =
            linkEntry({&table[row * states], states}, before, to, takesLowest);
  return link;
}

/// The table of the cause of a link: if the effect is absent before, the cause alone decides.
std::vector<double> causeTable(const std::vector<double> &link, size_t states, bool takesLowest) {
  const auto size = static_cast<std::ptrdiff_t>(link.size() / states);
  const auto begin = takesLowest ? link.end() - size : link.begin();
  return {begin, begin + size};
}

/// Whether linkTable made it: compared entry by entry, because models have thousands.
bool isLinkTable(const std::vector<double> &link, size_t states, bool takesLowest) {
  const size_t rows = link.size() / (states * states);
  if (link.size() != rows * states * states)
    return false;
  const double *const cause = link.data() + (takesLowest ? (states - 1) * rows * states : 0);
  for (size_t before = 0; before < states; ++before)
    for (size_t row = 0; row < rows; ++row)
      for (size_t to = 0; to < states; ++to)
        if (link[(before * rows + row) * states + to] !=
            linkEntry({cause + row * states, states}, before, to, takesLowest))
          return false;
  return true;
}

class ChainWriter {
public:
  ChainWriter(Model &model, const NoisyMax &noisy, const NoisyMaxSite &site)
      : model_(model), noisy_(noisy), site_(site), states_(model.variable(noisy.effect).extent) {}

  FactorId write() {
    VarId highest = addVariable(0);
    addFactor({highest}, site_.share(std::vector<double>(noisy_.leak)));
    TableValues link;
    for (size_t i = 0; i < noisy_.causes.size(); ++i) {
      const bool isLast = i + 1 == noisy_.causes.size();
      const VarId next = isLast ? noisy_.effect : addVariable(i + 1);
      if (i == 0 || noisy_.tables[i] != noisy_.tables[i - 1]) // many causes mostly share one
        link = site_.share(linkTable(*noisy_.tables[i], states_, noisy_.takesLowest));
      addFactor({highest, noisy_.causes[i], next}, link);
      highest = next;
    }
    return FactorId(model_.factors.size() - 1);
  }

private:
  /// After so many causes. Its name is one that a user understands, where it is shown.
  VarId addVariable(size_t causes) {
    const std::string &effect = model_.variable(noisy_.effect).name;
    std::string name =
        causes == 0 ? effect + " (leak)"
                    : effect + " (up to " + model_.variable(noisy_.causes[causes - 1]).name + ')';
    while (site_.isTaken(name))
      name += '\'';
    Variable variable{std::move(name), static_cast<uint32_t>(states_), {}};
    variable.auxiliary = true;
    model_.variables.push_back(std::move(variable));
    return VarId(model_.variables.size() - 1);
  }

  void addFactor(std::vector<VarId> scope, TableValues values) {
    Factor factor;
    factor.name = factor.family = probName(model_.variable(scope.back()).name);
    factor.scope = std::move(scope);
    factor.values = std::move(values);
    factor.conditional = true;
    model_.factors.push_back(std::move(factor));
  }

  Model &model_;
  const NoisyMax &noisy_;
  const NoisyMaxSite &site_;
  const size_t states_;
};

} // namespace

uint64_t chainElems(const NoisyMax &noisy) {
  uint64_t elems = noisy.leak.size();
  for (const TableValues &table : noisy.tables)
    elems = saturatingAdd(elems, saturatingMul(noisy.leak.size(), table->size()));
  return elems;
}

FactorId addNoisyMax(Model &model, const NoisyMax &noisy, const NoisyMaxSite &site) {
  const size_t states = model.variable(noisy.effect).extent;
  MPF_CHECK(!noisy.causes.empty() && noisy.causes.size() == noisy.tables.size() &&
                noisy.leak.size() == states,
            "{} causes, {} tables, a leak of {} states", noisy.causes.size(), noisy.tables.size(),
            noisy.leak.size());
  for (size_t i = 0; i < noisy.causes.size(); ++i)
    MPF_CHECK(noisy.tables[i]->size() == states * model.variable(noisy.causes[i]).extent,
              "{} entries for cause {}", noisy.tables[i]->size(), i);
  return ChainWriter(model, noisy, site).write();
}

bool isBehindLink(const Model &model, const Factor &factor) {
  return factor.scope.size() > 1 && isAuxiliary(model, factor.scope.front());
}

bool isInnerLink(const Model &model, const Factor &factor) {
  return !factor.scope.empty() && isAuxiliary(model, factor.scope.back());
}

std::vector<FactorId> chainOf(const Model &model, FactorId last) {
  size_t first = last.index();
  while (isBehindLink(model, model.factors[first]))
    --first;
  std::vector<FactorId> chain;
  for (size_t i = first; i <= last.index(); ++i)
    chain.emplace_back(i);
  return chain;
}

std::optional<NoisyMax> noisyMaxOf(const Model &model, FactorId last) {
  const Factor &end = model.factor(last);
  if (!isBehindLink(model, end) || isInnerLink(model, end))
    return std::nullopt;
  NoisyMax noisy;
  noisy.effect = end.scope.back();
  const std::vector<FactorId> chain = chainOf(model, last);
  noisy.leak = *model.factor(chain.front()).values;
  const size_t states = noisy.leak.size();
  for (size_t i = 1; i < chain.size(); ++i)
    noisy.takesLowest |= !isLinkTable(*model.factor(chain[i]).values, states, false);
  for (size_t i = 1; i < chain.size(); ++i) {
    const Factor &link = model.factor(chain[i]);
    noisy.causes.push_back(link.scope[1]);
    noisy.tables.push_back(std::make_shared<const std::vector<double>>(
        causeTable(*link.values, states, noisy.takesLowest)));
  }
  return noisy;
}

std::string findChainFault(const Model &model) {
  const size_t own = ownVariableCount(model);
  for (size_t i = own; i < model.variables.size(); ++i)
    if (!model.variables[i].auxiliary)
      return fmt::format("variable '{}' stands behind auxiliary ones", model.variables[i].name);
  std::vector<int> tables(model.variables.size(), 0), uses(model.variables.size(), 0);
  bool mayTakeHighest = true, mayTakeLowest = true; // the links of the chain so far
  for (size_t i = 0; i < model.factors.size(); ++i) {
    const Factor &factor = model.factors[i];
    if (std::ranges::none_of(factor.scope, [&](VarId id) { return isAuxiliary(model, id); }))
      continue;
    const std::vector<VarId> &scope = factor.scope;
    const bool isHead = scope.size() == 1;
    const bool isLink = scope.size() == 3 && isAuxiliary(model, scope[0]) &&
                        !isAuxiliary(model, scope[1]) && i != 0 &&
                        model.factors[i - 1].scope.size() != 0 &&
                        model.factors[i - 1].scope.back() == scope[0] &&
                        model.variable(scope[0]).extent == model.variable(scope[2]).extent;
    if (!factor.conditional || !factor.values || factor.formula || (!isHead && !isLink))
      return fmt::format("factor '{}' is no link of a chain", factor.name);
    const size_t states = model.variable(scope.back()).extent;
    const bool isChecked = isLink && model.factors[i - 1].scope.size() == scope.size() &&
                           model.factors[i - 1].values == factor.values; // of the same chain
    const auto mayTake = [&](bool lowest) {
      return isHead || isChecked || isLinkTable(*factor.values, states, lowest);
    };
    mayTakeHighest = (isHead || mayTakeHighest) && mayTake(false);
    mayTakeLowest = (isHead || mayTakeLowest) && mayTake(true);
    if (!mayTakeHighest && !mayTakeLowest)
      return fmt::format("the table of '{}' gives no maximum of two states, and no minimum",
                         factor.name);
    tables[scope.back().index()] += isInnerLink(model, factor) ? 1 : 0;
    uses[scope.front().index()] += isLink ? 1 : 0;
  }
  for (size_t i = own; i < model.variables.size(); ++i) {
    if (tables[i] != 1 || uses[i] > 1)
      return fmt::format("auxiliary variable '{}' has {} tables and {} links",
                         model.variables[i].name, tables[i], uses[i]);
    if (model.evidence.observes(VarId{i}))
      return fmt::format("auxiliary variable '{}' is observed", model.variables[i].name);
  }
  return {};
}

size_t ownFactorCount(const Model &model) {
  return model.factors.size() - (model.variables.size() - ownVariableCount(model));
}

} // namespace mpf
