#include "codegen/simplify/passes/pass_constants.h"

#include "codegen/simplify/state/edit_domains.h"

namespace mpf {

namespace {

/// Drops variables of one state from scopes: the table's layout stays the same.
bool dropSingleStates(SimplifyState &state) {
  bool changed = false;
  for (SimplifyFactor &factor : state.factors)
    changed |= std::erase_if(factor.scope, [&](VarId id) {
                 return state.extent(id) == 1 && state.mayShrink(id);
               }) > 0;
  return changed;
}

bool takeScalars(SimplifyState &state) {
  std::vector<char> erased(state.factors.size(), 0);
  bool any = false;
  for (size_t f = 0; f < state.factors.size(); ++f) {
    const SimplifyFactor &factor = state.factors[f];
    if (!factor.known() || !factor.scope.empty() ||
        !state.algebra.fitsScale(state.scale, factor.values.front()))
      continue;
    state.impossible |= !state.algebra.multiplyScale(state.scale, factor.values.front());
    any = true;
    erased[f] = 1;
  }
  if (any)
    eraseFactors(state, erased);
  return any;
}

bool dropAbsent(SimplifyState &state) {
  std::vector<char> occurs(state.variables.size(), 0);
  for (const SimplifyFactor &factor : state.factors)
    for (const VarId id : factor.scope)
      occurs[id.index()] = 1;
  bool changed = false;
  for (size_t i = 0; i < state.variables.size(); ++i) {
    const VarId id{i};
    const uint32_t extent = state.extent(id);
    if (occurs[i] || !state.mayShrink(id) || state.variable(id).asked ||
        !state.variable(id).reduced)
      continue;
    if (extent > 1 && !state.mayLeave(id))
      continue; // its own posterior is asked for: equal for all states
    const Algebra &algebra = state.algebra;
    const Entry states = algebra.repeatedOne(extent);
    if (!algebra.fitsScale(state.scale, states))
      continue;
    if (extent > 1) {
      algebra.multiplyScale(state.scale, states);
      if (needsStep(state, id)) {
        AnswerStep step;
        step.variable = id;
        step.newState.assign(extent, 0); // all are equally good: the answer takes the first
        state.steps.push_back(std::move(step));
      }
    }
    leave(state, id);
    changed = true;
  }
  return changed;
}

} // namespace

bool passConstants(SimplifyState &state) {
  bool changed = dropSingleStates(state);
  changed |= takeScalars(state);
  if (!state.impossible)
    changed |= dropAbsent(state);
  return changed;
}

} // namespace mpf
