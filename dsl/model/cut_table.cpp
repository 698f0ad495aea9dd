#include "dsl/model/cut_table.h"

#include "dsl/model/noisy_max.h"
#include "dsl/support/check.h"

namespace mpf {

namespace {

/// Replaces the table by one without parents, in which the child has `state` with certainty.
void makeCertain(const Model &model, Factor &factor, uint32_t state) {
  const VarId child = factor.scope.back();
  std::vector<double> values(model.variable(child).extent, 0);
  MPF_CHECK(state < values.size() && !factor.uncut, "state {} of {}, or cut twice", state,
            values.size());
  values[state] = 1;
  Factor certain;
  certain.name = factor.name;
  certain.family = factor.family;
  certain.scope = {child};
  certain.values = std::make_shared<const std::vector<double>>(std::move(values));
  certain.conditional = true;
  certain.place = factor.place;
  certain.uncut = std::make_shared<const Factor>(std::move(factor));
  factor = std::move(certain);
}

} // namespace

void cutTable(Model &model, FactorId table, uint32_t state) {
  for (const FactorId link : chainOf(model, table))
    makeCertain(model, model.factors[link.index()], link == table ? state : 0);
}

void restoreTable(Model &model, FactorId table) {
  bool isLink = true; // one that stands behind another link of its chain
  for (size_t i = table.index(); isLink; --i) {
    Factor &factor = model.factors[i];
    MPF_CHECK(factor.uncut != nullptr, "{} was not cut", factor.name);
    factor = Factor(*factor.uncut);
    isLink = isBehindLink(model, factor);
  }
}

std::map<VarId, FactorId> tablesCut(const Model &model) {
  std::map<VarId, FactorId> tables;
  for (size_t i = 0; i < model.factors.size(); ++i)
    if (model.factors[i].uncut && !isInnerLink(model, model.factors[i]))
      tables.emplace(model.factors[i].scope.back(), i);
  return tables;
}

Model withoutCuts(const Model &model) {
  Model whole = model;
  for (Factor &factor : whole.factors)
    if (factor.uncut)
      factor = Factor(*factor.uncut);
  return whole;
}

} // namespace mpf
