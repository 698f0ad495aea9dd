// The variables that marginals or best assignments hold: for each of their states the bundle has a
// posterior of every variable, or an assignment. The first output is over them alone; the scope of
// a posterior has those that it depends on, in the same order, and then its own variable.
#pragma once

#include "codegen/bundle/bundle.h"

#include <cstdint>
#include <span>

namespace mpf {

/// Returns the held variables in the order of the result, the last one fastest; none for other
/// kinds of queries. Precondition: such a bundle has its first output.
inline std::span<const VarId> heldVariables(const Bundle &bundle) {
  return traitsOf(bundle.kind).asksEachVariable()
             ? std::span<const VarId>(bundle.outputs.front().scope)
             : std::span<const VarId>();
}

/// Returns the number of joint states of the held variables, which is the number of posteriors of a
/// variable, or of assignments; 1 if no variable is held.
inline uint64_t heldStateCount(const Bundle &bundle) {
  uint64_t count = 1;
  for (const VarId id : heldVariables(bundle))
    count *= bundle.variables[id.index()].extent;
  return count;
}

} // namespace mpf
