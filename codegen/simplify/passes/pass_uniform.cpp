#include "codegen/simplify/passes/pass_uniform.h"

#include "codegen/simplify/state/table_ops.h"

namespace mpf {

namespace {

/// Whether the entries depend on the state of an axis of `extent` states, which are `inner` entries
/// apart.
bool dependsOn(const EntryTable &values, uint64_t inner, uint32_t extent) {
  const uint64_t block = inner * extent, size = values.size();
  const EntryTable::Iterator entries = values.begin();
  for (uint64_t start = 0; start < size; start += block)
    for (uint64_t i = inner; i < block; ++i)
      if (!(entries[start + i] == entries[start + i - inner]))
        return true;
  return false;
}

/// Drops the axes that the values do not depend on. `isNeeded`: scratch.
bool dropAxes(SimplifyState &state, SimplifyFactor &factor, std::vector<char> &isNeeded) {
  isNeeded.assign(factor.scope.size(), 0);
  bool dropsAny = false;
  uint64_t inner = 1;
  for (size_t a = factor.scope.size(); a-- > 0;) {
    const uint32_t extent = state.extent(factor.scope[a]);
    isNeeded[a] = dependsOn(factor.values, inner, extent);
    dropsAny |= isNeeded[a] == 0;
    inner *= extent;
  }
  if (!dropsAny)
    return false;
  const Extents extents = state.extents(factor.scope);
  std::vector<std::vector<uint32_t>> states(extents.size());
  std::vector<VarId> scope;
  for (size_t a = 0; a < extents.size(); ++a) {
    for (uint32_t s = 0; s < (isNeeded[a] ? extents[a] : 1); ++s)
      states[a].push_back(s);
    if (isNeeded[a])
      scope.push_back(factor.scope[a]);
  }
  factor.values = gather(factor.values, extents, states);
  factor.scope = std::move(scope);
  return true;
}

} // namespace

bool passUniform(SimplifyState &state) {
  bool changed = false;
  std::vector<char> isNeeded;
  for (SimplifyFactor &factor : state.factors)
    if (factor.known() && !factor.scope.empty())
      changed |= dropAxes(state, factor, isNeeded);
  return changed;
}

} // namespace mpf
