#include "dsl/formats/cnf/projection.h"

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

Query Projection::query(ClauseFactors &clauses) const {
  Query query;
  query.name = "count";
  query.kind = QueryKind::Expression;
  query.place = network_.placeOf(*place_);
  QueryReduction shown{Reduce::Sum, {}}, others{Reduce::Max, {}};
  for (size_t i = 0; i < network_.model().variables.size(); ++i) {
    const VarId id(i);
    const bool isShown = i < isShown_.size() && isShown_[i];
    if (isShown && !clauses.names(id))
      clauses.addWeights(static_cast<Literal>(i + 1), {1, 1}, *place_);
    if (isShown)
      shown.variables.push_back(id);
    else if (clauses.names(id))
      others.variables.push_back(id);
  }
  for (QueryReduction *reduction : {&shown, &others})
    if (!reduction->variables.empty())
      query.reductions.push_back(std::move(*reduction));
  for (size_t i = 0; i < network_.model().factors.size(); ++i)
    query.factors.emplace_back(i);
  return query;
}

} // namespace mpf
