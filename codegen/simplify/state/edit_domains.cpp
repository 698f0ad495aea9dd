#include "codegen/simplify/state/edit_domains.h"

#include "codegen/simplify/state/table_ops.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace mpf {

namespace {

/// Returns the states of `id` that stay, ascending.
std::vector<uint32_t> statesLeft(const SimplifyState &state, const DomainMasks &stays, VarId id) {
  std::vector<uint32_t> states;
  const std::vector<char> &mask = stays[id.index()];
  for (uint32_t s = 0; s < state.extent(id); ++s)
    if (mask.empty() || mask[s])
      states.push_back(s);
  return states;
}

void restrictFactor(const SimplifyState &state, const DomainMasks &stays, SimplifyFactor &factor) {
  if (std::all_of(factor.scope.begin(), factor.scope.end(),
                  [&](VarId id) { return stays[id.index()].empty(); }))
    return;
  MPF_CHECK(factor.known(), "factor {} loses states of its variables but has no values yet",
            state.model->factor(factor.declared).name);
  std::vector<std::vector<uint32_t>> states;
  for (const VarId id : factor.scope)
    states.push_back(statesLeft(state, stays, id));
  factor.values = gather(factor.values, state.extents(factor.scope), states);
}

} // namespace

bool needsStep(const SimplifyState &state, VarId id) {
  return state.traits().asksEachVariable() || state.variable(id).asked;
}

void renameStates(SimplifyState &state, VarId id, const std::vector<uint32_t> &groupOf,
                  uint32_t groups) {
  SimplifyVariable &variable = state.variable(id);
  std::vector<uint32_t> origin(groups, AnswerStep::kNoState);
  for (uint32_t s = 0; s < variable.extent; ++s)
    if (groupOf[s] != AnswerStep::kNoState && origin[groupOf[s]] == AnswerStep::kNoState)
      origin[groupOf[s]] = variable.origin.empty() ? s : variable.origin[s];
  variable.origin = std::move(origin);
  variable.extent = groups;
}

bool restrictDomains(SimplifyState &state, const DomainMasks &stays) {
  DomainMasks changed(state.variables.size());
  bool any = false;
  for (size_t i = 0; i < changed.size(); ++i) {
    const std::vector<char> &mask = stays[i];
    if (mask.empty() || std::find(mask.begin(), mask.end(), 0) == mask.end())
      continue;
    MPF_CHECK(state.mayShrink(VarId{i}), "states of {} leave, but it must keep them",
              state.model->variables[i].name);
    changed[i] = mask;
    any = true;
    state.impossible |= std::find(mask.begin(), mask.end(), 1) == mask.end();
  }
  if (!any || state.impossible)
    return any;
  for (SimplifyFactor &factor : state.factors)
    restrictFactor(state, changed, factor);
  for (size_t i = 0; i < changed.size(); ++i) {
    if (changed[i].empty())
      continue;
    AnswerStep step;
    step.variable = VarId{i};
    uint32_t left = 0;
    for (const char stayed : changed[i])
      step.newState.push_back(stayed ? left++ : AnswerStep::kNoState);
    renameStates(state, step.variable, step.newState, left);
    if (needsStep(state, step.variable))
      state.steps.push_back(std::move(step));
  }
  return true;
}

void leave(SimplifyState &state, VarId id) {
  SimplifyVariable &variable = state.variable(id);
  variable.gone = true;
  variable.extent = 1;
  variable.origin.clear();
}

void eraseFactors(SimplifyState &state, const std::vector<char> &erased) {
  size_t left = 0;
  for (size_t f = 0; f < state.factors.size(); ++f)
    if (!erased[f]) {
      if (left != f)
        state.factors[left] = std::move(state.factors[f]);
      ++left;
    }
  state.factors.resize(left);
}

} // namespace mpf
