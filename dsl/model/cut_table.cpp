#include "dsl/model/cut_table.h"

#include "dsl/model/noisy_max.h"
#include "dsl/support/check.h"

namespace mpf {

namespace {

/// Its child has one state, without parents.
void makeCertain(const Model &model, Factor &factor, uint32_t state) {
  const VarId child = factor.scope.back();
  std::vector<double> values(model.variable(child).extent, 0);
  MPF_CHECK(state < values.size(), "state {} of {}", state, values.size());
  values[state] = 1;
  Factor certain;
  certain.name = factor.name;
  certain.family = factor.family;
  certain.scope = {child};
  certain.values = std::make_shared<const std::vector<double>>(std::move(values));
  certain.conditional = true;
  factor = std::move(certain);
}

} // namespace

void cutTable(Model &model, FactorId table, uint32_t state) {
  for (const FactorId link : chainOf(model, table))
    makeCertain(model, model.factors[link.index()], link == table ? state : 0);
}

} // namespace mpf
