#include "codegen/simplify/passes/pass_evidence.h"

#include "codegen/simplify/state/edit_domains.h"

namespace mpf {

bool passEvidence(SimplifyState &problem) {
  DomainMasks stays(problem.variables.size());
  for (const Observation &seen : problem.model->evidence.observations()) {
    SimplifyVariable &variable = problem.variable(seen.variable);
    if (!variable.observed || variable.hasInput)
      continue;
    variable.observed = false;
    stays[seen.variable.index()].assign(variable.extent, 0);
    stays[seen.variable.index()][seen.state] = 1;
  }
  return restrictDomains(problem, stays);
}

} // namespace mpf
