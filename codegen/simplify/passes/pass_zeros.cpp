#include "codegen/simplify/passes/pass_zeros.h"

#include "codegen/simplify/passes/support_propagation.h"
#include "codegen/simplify/state/edit_domains.h"

namespace mpf {

bool passZeros(SimplifyState &state) {
  const Incidence incidence(state);
  SupportPropagation support(state, incidence);
  if (!support.hasZeros())
    return false;
  if (!support.propagateAll()) {
    state.impossible = true;
    return true;
  }
  return restrictDomains(state, support.masks());
}

} // namespace mpf
