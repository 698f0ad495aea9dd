#include "codegen/simplify/passes/pass_components.h"

#include "codegen/simplify/state/disjoint_sets.h"
#include "codegen/simplify/state/edit_domains.h"

#include <algorithm>

namespace mpf {

namespace {

bool mayVanish(const SimplifyState &state, const SimplifyFactor &factor) {
  return factor.known() &&
         std::all_of(factor.scope.begin(), factor.scope.end(),
                     [&](VarId id) { return state.mayLeave(id); }) &&
         std::all_of(factor.values.begin(), factor.values.end(),
                     [](Entry entry) { return entry.isPositive(); });
}

} // namespace

bool passComponents(SimplifyState &state) {
  DisjointSets components(state.variables.size());
  for (const SimplifyFactor &factor : state.factors)
    for (const VarId id : factor.scope)
      components.join(factor.scope.front().value, id.value);
  std::vector<char> leaves(state.variables.size(), 1); // by the component's representative
  std::vector<char> erased(state.factors.size(), 0);
  for (size_t f = 0; f < erased.size(); ++f) {
    const std::vector<VarId> &scope = state.factors[f].scope;
    if (scope.empty()) // a component of its own
      erased[f] = mayVanish(state, state.factors[f]);
    else if (char &all = leaves[components.find(scope.front().value)]; all)
      all = mayVanish(state, state.factors[f]);
  }
  for (size_t f = 0; f < erased.size(); ++f) {
    const std::vector<VarId> &scope = state.factors[f].scope;
    if (scope.empty() || !leaves[components.find(scope.front().value)])
      continue;
    erased[f] = 1;
    for (const VarId id : scope)
      leave(state, id);
  }
  const bool changed = std::find(erased.begin(), erased.end(), 1) != erased.end();
  if (changed)
    eraseFactors(state, erased);
  return changed;
}

} // namespace mpf
