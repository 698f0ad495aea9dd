#include "codegen/simplify/simplify.h"
#include "codegen/simplify/state/edit_domains.h"
#include "dsl/support/hash.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <unordered_map>

namespace mpf {

namespace {

/// Shares tables of equal contents, as they were shared in a stationary network.
class SharedTables {
public:
  TableValues share(const TableValues &values) {
    if (const auto known = byAddress_.find(values.get()); known != byAddress_.end())
      return known->second;
    const std::string_view bytes(reinterpret_cast<const char *>(values->data()),
                                 values->size() * sizeof(double));
    std::vector<TableValues> &equalHashes = byContents_[std::hash<std::string_view>()(bytes)];
    auto same = std::find_if(equalHashes.begin(), equalHashes.end(),
                             [&](const TableValues &other) { return *other == *values; });
    const TableValues shared = same != equalHashes.end() ? *same : values;
    if (same == equalHashes.end())
      equalHashes.push_back(values);
    byAddress_.emplace(values.get(), shared);
    return shared;
  }

private:
  std::unordered_map<const void *, TableValues> byAddress_; ///< looked up, never iterated over
  std::unordered_map<size_t, std::vector<TableValues>> byContents_;
};

TableValues oneEntry(Entry entry) {
  EntryTableBuilder table(1);
  table.add(entry);
  return table.finish().values();
}

class Converter {
public:
  explicit Converter(const SimplifyState &state) : state_(state), given_(*state.model) {}

  Simplified run() {
    Simplified out;
    out.model.name = given_.name;
    out.model.orders = given_.orders;
    out.query = *state_.query;
    out.query.factors.clear();
    addVariables(out.model);
    addFactors(out);
    out.answer = answer();
    out.model.queries.push_back(out.query);
    return out;
  }

private:
  void addVariables(Model &model) const {
    std::vector<Observation> observations;
    model.variables.reserve(given_.variables.size());
    for (size_t i = 0; i < given_.variables.size(); ++i) {
      const SimplifyVariable &now = state_.variables[i];
      const Variable &declared = given_.variables[i];
      const bool single = !now.keepsStates() && (now.gone || state_.impossible ||
                                                 (now.extent == 1 && state_.mayShrink(VarId{i})));
      if (now.observed) {
        model.variables.push_back(declared);
        observations.push_back({VarId{i}, *given_.evidence.state(VarId{i})});
      } else if (single) {
        model.variables.push_back({declared.name, 1, {}, declared.auxiliary, declared.unasked});
        if (!now.asked)
          observations.push_back({VarId{i}, 0});
      } else {
        model.variables.push_back(
            {declared.name, now.extent, labels(VarId{i}), declared.auxiliary, declared.unasked});
      }
    }
    model.evidence.add(std::move(observations));
  }

  /// Returns the labels of a variable's states: each has that of the first declared state that it
  /// replaces.
  std::vector<std::string> labels(VarId id) const {
    const SimplifyVariable &now = state_.variable(id);
    const Variable &declared = given_.variable(id);
    if (now.origin.empty())
      return declared.labels;
    std::vector<std::string> list;
    for (const uint32_t state : now.origin)
      list.push_back(declared.labels.empty() ? fmt::format("{}", state) : declared.labels[state]);
    return list;
  }

  void addFactors(Simplified &out) const {
    SharedTables tables;
    out.query.factors.reserve(state_.factors.size());
    out.model.factors.reserve(state_.factors.size());
    const auto add = [&out](const std::string &name, std::vector<VarId> scope, TableValues values) {
      out.query.factors.push_back(FactorId{out.model.factors.size()});
      out.model.factors.push_back({name, name, std::move(scope), std::move(values), false});
    };
    const auto addDeclared = [&](const Factor &declared, std::vector<VarId> scope) {
      const bool isWhole = scope == declared.scope;
      add(declared.name, std::move(scope), declared.values);
      out.model.factors.back().defaults = declared.defaults;
      out.model.factors.back().wide = declared.wide;
      out.model.factors.back().bindsNegative = declared.bindsNegative;
      out.model.factors.back().conditional = isWhole && declared.conditional;
    };
    if (state_.impossible)
      add("(impossible)", {}, oneEntry(state_.algebra.zero()));
    for (const SimplifyFactor &factor : state_.factors) {
      // Values that are not finite were hidden from the passes; binding them reports the entry.
      const Factor &declared = given_.factor(factor.declared);
      if (!factor.declaredStates.empty())
        out.indicators.push_back({FactorId{out.model.factors.size()}, factor.declaredStates});
      if (!factor.known())
        addDeclared(declared, factor.scope); // a session binds it in any case
      else if (!state_.impossible)
        add(declared.name, factor.scope, tables.share(factor.values.values()));
    }
  }

  PostsolveMap answer() const {
    PostsolveMap map;
    map.scale = state_.scale;
    if (!state_.impossible)
      map.steps = state_.steps;
    else
      for (size_t i = 0; i < given_.variables.size(); ++i)
        if (needsStep(state_, VarId{i}) && !state_.variables[i].observed && hasLostStates(i))
          map.steps.push_back(allGone(VarId{i}));
    map.variables.reserve(given_.variables.size());
    for (const Variable &variable : given_.variables)
      map.variables.push_back({variable.name, variable.extent, variable.labels});
    map.evidence = given_.evidence;
    map.evidence.likelihoods.clear(); // they are tables of the problem
    for (Finding &finding : map.evidence.findings)
      finding.fixed = !state_.variable(finding.variable).observed;
    return map;
  }

  /// Whether a variable of an impossible problem has lost states. Variables that keep their states
  /// may have lost some before they got an indicator.
  bool hasLostStates(size_t variable) const {
    const SimplifyVariable &now = state_.variables[variable];
    return !now.keepsStates() || now.extent != given_.variables[variable].extent;
  }

  AnswerStep allGone(VarId id) const {
    AnswerStep step;
    step.variable = id;
    step.newState.assign(given_.variable(id).extent, AnswerStep::kNoState);
    return step;
  }

  const SimplifyState &state_;
  const Model &given_;
};

} // namespace

Simplified stateToModel(const SimplifyState &state) { return Converter(state).run(); }

} // namespace mpf
