#include "dsl/formats/cnf/projection.h"

#include "dsl/formats/cnf/hidden_variables.h"

#include <algorithm>

namespace mpf {

void Projection::resolve(uint64_t variables) {
  if (!place_)
    return;
  isShown_.assign(variables, false);
  for (const auto &[variable, range] : shown_)
    if (static_cast<uint64_t>(variable) > variables)
      network_.error(range, "{} is shown, the text has the variables 1 to {}", variable, variables);
    else
      isShown_[static_cast<size_t>(variable) - 1] = true;
}

void Projection::markLinks() {
  const Model &model = network_.model();
  isShown_.resize(model.variables.size(), false);
  for (const Factor &factor : model.factors) { // those of a chain are in its order
    const VarId last = factor.scope.empty() ? VarId() : factor.scope.back();
    const auto counts = [this](VarId id) { return isShown_[id.index()]; };
    if (last.valid() && model.variable(last).name == factor.name &&
        std::all_of(factor.scope.begin(), factor.scope.end() - 1, counts))
      isShown_[last.index()] = true;
  }
}

void Projection::addUnnamed(std::span<const VarId> variables, std::vector<FactorId> &factors,
                            ClauseFactors &clauses) const {
  std::vector<bool> isNamed(network_.model().variables.size(), false);
  for (const FactorId factor : factors)
    for (const VarId id : network_.model().factor(factor).scope)
      isNamed[id.index()] = true;
  for (const VarId id : variables)
    if (!isNamed[id.index()] &&
        clauses.addWeights(static_cast<Literal>(id.index() + 1), {1, 1}, *place_))
      factors.emplace_back(network_.model().factors.size() - 1);
}

Query Projection::query(ClauseFactors &clauses) {
  Query query;
  query.name = "count";
  query.kind = QueryKind::Expression;
  query.place = network_.placeOf(*place_);
  markLinks();
  QueryReduction shown{Reduce::Sum, {}}, others{Reduce::Max, {}};
  for (size_t i = 0; i < isShown_.size(); ++i)
    if (isShown_[i])
      shown.variables.emplace_back(i);
    else if (clauses.names(VarId(i)))
      others.variables.emplace_back(i);
  const auto left = eliminateHidden(network_, others.variables);
  if (const auto *factors = std::get_if<std::vector<FactorId>>(&left)) {
    query.factors = *factors;
    others.variables.clear();
  } else {
    const std::string need =
        std::get<ProjectionBound>(left) == ProjectionBound::Width
            ? fmt::format("tables over more than {} variables", kWidestProjectedTable)
            : fmt::format("a look at more than {} entries of tables", kProjectionWork);
    network_.diagnostics().warning(query.place,
                                   "the {} variables that are not shown need {}: this projected "
                                   "count is read, not answered",
                                   others.variables.size(), need);
    for (size_t i = 0; i < network_.model().factors.size(); ++i)
      query.factors.emplace_back(i);
  }
  addUnnamed(shown.variables, query.factors, clauses);
  if (query.factors.empty() && clauses.addOne(*place_)) // an expression needs a factor
    query.factors.emplace_back(network_.model().factors.size() - 1);
  for (QueryReduction *reduction : {&shown, &others})
    if (!reduction->variables.empty())
      query.reductions.push_back(std::move(*reduction));
  return query;
}

} // namespace mpf
