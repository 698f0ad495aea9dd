#include "codegen/simplify/passes/pass_evidence.h"

#include "codegen/simplify/state/edit_domains.h"

namespace mpf {

bool passEvidence(SimplifyState &state) {
  DomainMasks stays(state.variables.size());
  for (const Observation &seen : state.model->evidence.observations()) {
    SimplifyVariable &variable = state.variable(seen.variable);
    if (!variable.observed || variable.keepsStates())
      continue;
    variable.observed = false;
    stays[seen.variable.index()].assign(variable.extent, 0);
    stays[seen.variable.index()][seen.state] = 1;
  }
  return restrictDomains(state, stays);
}

} // namespace mpf
