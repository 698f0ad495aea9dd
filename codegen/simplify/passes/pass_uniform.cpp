#include "codegen/simplify/passes/pass_uniform.h"

#include "codegen/simplify/state/table_ops.h"

namespace mpf {

namespace {

bool dependsOn(const EntryTable &values, const Extents &extents, size_t axis) {
  uint64_t inner = 1;
  for (size_t a = axis + 1; a < extents.size(); ++a)
    inner *= extents[a];
  const uint64_t block = inner * extents[axis];
  for (uint64_t start = 0; start < values.size(); start += block)
    for (uint64_t i = inner; i < block; ++i)
      if (!(values[start + i] == values[start + i - inner]))
        return true;
  return false;
}

bool dropAxes(SimplifyState &state, SimplifyFactor &factor) {
  const Extents extents = state.extents(factor.scope);
  std::vector<std::vector<uint32_t>> states(extents.size());
  std::vector<VarId> scope;
  for (size_t a = 0; a < extents.size(); ++a) {
    const bool needed = dependsOn(factor.values, extents, a);
    for (uint32_t s = 0; s < (needed ? extents[a] : 1); ++s)
      states[a].push_back(s);
    if (needed)
      scope.push_back(factor.scope[a]);
  }
  if (scope.size() == factor.scope.size())
    return false;
  factor.values = gather(factor.values, extents, states);
  factor.scope = std::move(scope);
  return true;
}

} // namespace

bool passUniform(SimplifyState &state) {
  bool changed = false;
  for (SimplifyFactor &factor : state.factors)
    if (factor.known() && !factor.scope.empty())
      changed |= dropAxes(state, factor);
  return changed;
}

} // namespace mpf
