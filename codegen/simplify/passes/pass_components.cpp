#include "codegen/simplify/passes/pass_components.h"

#include "codegen/simplify/state/edit_domains.h"

#include <algorithm>

namespace mpf {

namespace {

/// The component of each factor; `count` becomes the number of components.
std::vector<uint32_t> componentsOf(const SimplifyState &problem, uint32_t &count) {
  const Incidence incidence(problem);
  std::vector<uint32_t> component(problem.factors.size(), UINT32_MAX);
  std::vector<char> visited(problem.variables.size(), 0);
  std::vector<uint32_t> open;
  for (uint32_t start = 0; start < component.size(); ++start) {
    if (component[start] != UINT32_MAX)
      continue;
    component[start] = count;
    open.push_back(start);
    while (!open.empty()) {
      const uint32_t f = open.back();
      open.pop_back();
      for (const VarId id : problem.factors[f].scope) {
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

bool mayVanish(const SimplifyState &problem, const SimplifyFactor &factor) {
  return factor.known() &&
         std::all_of(factor.scope.begin(), factor.scope.end(),
                     [&](VarId id) { return problem.mayLeave(id); }) &&
         std::all_of(factor.values.begin(), factor.values.end(),
                     [](Entry entry) { return entry.isPositive(); });
}

} // namespace

bool passComponents(SimplifyState &problem) {
  uint32_t count = 0;
  const std::vector<uint32_t> component = componentsOf(problem, count);
  std::vector<char> leaves(count, 1), erased(component.size(), 0);
  for (size_t f = 0; f < component.size(); ++f)
    leaves[component[f]] = leaves[component[f]] && mayVanish(problem, problem.factors[f]);
  bool changed = false;
  for (size_t f = 0; f < component.size(); ++f) {
    if (!leaves[component[f]])
      continue;
    erased[f] = 1;
    changed = true;
    for (const VarId id : problem.factors[f].scope)
      leave(problem, id);
  }
  if (changed)
    eraseFactors(problem, erased);
  return changed;
}

} // namespace mpf
