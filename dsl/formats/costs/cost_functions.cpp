#include "dsl/formats/costs/cost_functions.h"

#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>

namespace mpf {

void CostFunctions::setBound(double bound, bool maximises) {
  bound_ = bound;
  maximises_ = maximises;
}

void CostFunctions::reserve(uint64_t count) {
  functions_.reserve(count);
  network_.reserveFactors(count);
}

bool CostFunctions::checkScope(const std::vector<VarId> &scope, SourceRange place) {
  std::vector<VarId> sorted = scope;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
    return network_.error(place, "'{}' stands twice in the scope of a function",
                          excerpt(network_.model().variable(*twice).name));
  const ModelLimits &limits = network_.limits();
  if (scope.size() > limits.maxScope)
    return network_.error(place, "a function has {} variables, the largest supported is {}",
                          scope.size(), limits.maxScope);
  return functions_.size() < limits.maxFactors ||
         network_.error(place, "the file has more than {} functions, the limit", limits.maxFactors);
}

bool CostFunctions::begin(std::string name, std::vector<VarId> scope, SourceRange place,
                          std::optional<double> others, uint64_t listable) {
  if (!checkScope(scope, place))
    return false;
  const uint64_t elems = scopeElems(network_.model(), scope);
  const uint64_t unlisted = others && elems > listable ? elems - listable : 0;
  if (!others && elems > listable)
    return network_.error(place,
                          "the function needs {} costs, the rest of the file has room for {}",
                          elems, listable);
  if (elems > network_.elemsLeft() || unlisted > network_.unlistedElemsLeft())
    return network_.error(place,
                          "the table of this function needs {} entries, there is room for {}",
                          elems, std::min(network_.elemsLeft(), network_.unlistedElemsLeft()));
  network_.useElems(elems, unlisted);
  current_.emplace(std::move(name), std::move(scope), place,
                   std::vector<double>(elems, others.value_or(0)));
  isSet_.assign(elems, false);
  return true;
}

bool CostFunctions::set(uint64_t tuple, double cost, SourceRange at) {
  if (isSet_[tuple])
    return network_.error(at, "this tuple of the function has a cost already");
  isSet_[tuple] = true;
  current_->costs[tuple] = cost;
  return true;
}

size_t CostFunctions::end() {
  functions_.push_back(std::move(*current_));
  return functions_.size() - 1;
}

bool CostFunctions::share(std::string name, std::vector<VarId> scope, size_t function,
                          SourceRange place) {
  if (!checkScope(scope, place))
    return false;
  const Model &model = network_.model();
  const auto extentOf = [&model](VarId id) { return model.variable(id).extent; };
  if (!std::ranges::equal(scope, functions_[function].scope, {}, extentOf, extentOf))
    return network_.error(place,
                          "the variables of this function have other sizes than those of "
                          "'{}', whose costs it shares",
                          excerpt(functions_[function].name));
  functions_.push_back({std::move(name), std::move(scope), place, {}, function});
  return true;
}

double CostFunctions::forbiddenCost() const {
  double slack = 0; // the most that other functions can make up for
  for (const Function &given : functions_) {
    const Function &function = given.sharedWith ? functions_[*given.sharedWith] : given;
    double best = 0;
    for (const double cost : function.costs)
      if (std::isfinite(cost))
        best = maximises_ ? std::max(best, cost) : std::min(best, cost);
    slack += std::abs(best);
  }
  // Twice, so that no rounding of sums matters.
  return maximises_ ? bound_ - 2 * slack : bound_ + 2 * slack;
}

void CostFunctions::addFactors() {
  const double forbidden = forbiddenCost();
  for (size_t i = 0; i < functions_.size(); ++i) {
    Function &function = functions_[i];
    const FactorId id = network_.addFactor(function.name, function.scope);
    if (function.sharedWith) {
      network_.shareValues(id, FactorId(*function.sharedWith));
      continue;
    }
    for (double &cost : function.costs)
      if (!std::isfinite(cost))
        cost = forbidden;
    network_.setValues(id, function.costs, network_.placeOf(function.place));
    function.costs = {};
  }
  if (functions_.empty())
    network_.setValues(network_.addFactor("nothing", {}), std::vector<double>{0}, {});
}

Query CostFunctions::query(const Model &model) const {
  Query query;
  query.name = "cost";
  query.kind = QueryKind::Optimum;
  query.combine = Combine::Plus;
  QueryReduction reduction{maximises_ ? Reduce::Max : Reduce::Min, {}};
  std::vector<bool> named(model.variables.size(), false);
  for (size_t i = 0; i < model.factors.size(); ++i) {
    query.factors.emplace_back(i);
    for (const VarId id : model.factors[i].scope)
      named[id.index()] = true;
  }
  for (size_t i = 0; i < named.size(); ++i)
    if (named[i])
      reduction.variables.emplace_back(i);
  query.reductions.push_back(std::move(reduction));
  return query;
}

std::optional<Model> CostFunctions::finish(NetworkCheck check) {
  if (network_.failed())
    return std::nullopt;
  addFactors();
  std::optional<Model> model = network_.finish(QueryKind::Evidence, check);
  if (model)
    model->queries.front() = query(*model);
  return model;
}

} // namespace mpf
