#include "codegen/simplify/passes/pass_components.h"

#include "codegen/simplify/state/edit_domains.h"

#include <algorithm>

namespace mpf {

namespace {

/// The component of each factor; `count` becomes the number of components.
std::vector<uint32_t> partsOf(const SimplifyState &problem, uint32_t &count) {
  const Incidence incidence(problem);
  std::vector<uint32_t> part(problem.factors.size(), UINT32_MAX);
  std::vector<char> visited(problem.variables.size(), 0);
  std::vector<uint32_t> open;
  for (uint32_t start = 0; start < part.size(); ++start) {
    if (part[start] != UINT32_MAX)
      continue;
    part[start] = count;
    open.push_back(start);
    while (!open.empty()) {
      const uint32_t f = open.back();
      open.pop_back();
      for (const VarId id : problem.factors[f].scope) {
        if (visited[id.index()])
          continue;
        visited[id.index()] = 1;
        for (const uint32_t g : incidence.of(id))
          if (part[g] == UINT32_MAX) {
            part[g] = count;
            open.push_back(g);
          }
      }
    }
    ++count;
  }
  return part;
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
  const std::vector<uint32_t> part = partsOf(problem, count);
  std::vector<char> leaves(count, 1), erased(part.size(), 0);
  for (size_t f = 0; f < part.size(); ++f)
    leaves[part[f]] = leaves[part[f]] && mayVanish(problem, problem.factors[f]);
  bool changed = false;
  for (size_t f = 0; f < part.size(); ++f) {
    if (!leaves[part[f]])
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
