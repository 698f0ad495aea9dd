#include "codegen/simplify/passes/pass_zeros.h"

#include "codegen/simplify/passes/support_propagation.h"
#include "codegen/simplify/state/edit_domains.h"

namespace mpf {

bool passZeros(SimplifyState &problem) {
  const Incidence incidence(problem);
  SupportPropagation support(problem, incidence);
  if (!support.hasZeros())
    return false;
  if (!support.propagateAll()) {
    problem.impossible = true;
    return true;
  }
  return restrictDomains(problem, support.masks());
}

} // namespace mpf
