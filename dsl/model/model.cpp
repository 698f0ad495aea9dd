#include "dsl/model/model.h"

#include "dsl/support/counts.h"

namespace mpf {

uint64_t scopeElems(const Model &model, const std::vector<VarId> &scope) {
  uint64_t elems = 1;
  for (const VarId id : scope)
    elems = saturatingMul(elems, model.variable(id).extent);
  return elems;
}

} // namespace mpf
