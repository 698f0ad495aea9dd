#include "codegen/simplify/pass_zeros.h"

#include "codegen/simplify/edit_domains.h"
#include "codegen/simplify/support_propagation.h"

namespace mpf {

bool passZeros(Problem &problem) {
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
