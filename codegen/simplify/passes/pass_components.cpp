#include "codegen/simplify/passes/pass_components.h"

#include "codegen/simplify/state/edit_domains.h"

#include <algorithm>

namespace mpf {

namespace {

/// Returns the component of each factor; sets `count` to the number of components.
std::vector<uint32_t> componentsOf(const SimplifyState &state, uint32_t &count) {
  const Incidence incidence(state);
  std::vector<uint32_t> component(state.factors.size(), UINT32_MAX);
  std::vector<char> visited(state.variables.size(), 0);
  std::vector<uint32_t> open;
  for (uint32_t start = 0; start < component.size(); ++start) {
    if (component[start] != UINT32_MAX)
      continue;
    component[start] = count;
    open.push_back(start);
    while (!open.empty()) {
      const uint32_t f = open.back();
      open.pop_back();
      for (const VarId id : state.factors[f].scope) {
        if (visited[id.index()])
          continue;
        visited[id.index()] = 1;
        for (const uint32_t g : incidence.of(id))
          if (component[g] == UINT32_MAX) {
            component[g] = count;
            open.push_back(g);
          }
      }
    }
    ++count;
  }
  return component;
}

bool mayVanish(const SimplifyState &state, const SimplifyFactor &factor) {
  return factor.known() &&
         std::all_of(factor.scope.begin(), factor.scope.end(),
                     [&](VarId id) { return state.mayLeave(id); }) &&
         std::all_of(factor.values.begin(), factor.values.end(),
                     [](Entry entry) { return entry.isPositive(); });
}

} // namespace

bool passComponents(SimplifyState &state) {
  uint32_t count = 0;
  const std::vector<uint32_t> component = componentsOf(state, count);
  std::vector<char> leaves(count, 1), erased(component.size(), 0);
  for (size_t f = 0; f < component.size(); ++f)
    leaves[component[f]] = leaves[component[f]] && mayVanish(state, state.factors[f]);
  bool changed = false;
  for (size_t f = 0; f < component.size(); ++f) {
    if (!leaves[component[f]])
      continue;
    erased[f] = 1;
    changed = true;
    for (const VarId id : state.factors[f].scope)
      leave(state, id);
  }
  if (changed)
    eraseFactors(state, erased);
  return changed;
}

} // namespace mpf
