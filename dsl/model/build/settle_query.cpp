#include "dsl/model/build/settle_query.h"

#include "dsl/model/build/soft_cost.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <vector>

namespace mpf {

namespace {

class Settlement {
public:
  Settlement(const Model &model, Query &query)
      : model_(model), query_(query), isInScope_(model.variables.size(), false),
        isNamed_(model.variables.size(), false) {}

  QueryFault run() {
    std::erase_if(query_.factors, [&](FactorId id) { return model_.evidence.isLikelihood(id); });
    for (const FactorId id : query_.factors)
      mark(isInScope_, model_.factor(id).scope);
    mark(isNamed_, query_.output);
    for (const QueryReduction &reduction : query_.reductions)
      mark(isNamed_, reduction.variables);
    for (size_t i = 0; i < isNamed_.size(); ++i)
      if (QueryFault fault = variableFault(VarId(i)); !fault.text.empty())
        return fault;
    return addSoftEvidence();
  }

private:
  static void mark(std::vector<bool> &marks, const std::vector<VarId> &ids) {
    for (const VarId id : ids)
      marks[id.index()] = true;
  }

  QueryFault variableFault(VarId id) const {
    const bool isOpen = isInScope_[id.index()] && !isNamed_[id.index()] &&
                        !model_.evidence.observes(id) && !isSetByCases(model_, id);
    const bool isGone = isNamed_[id.index()] && !isInScope_[id.index()];
    if (!isOpen && !isGone)
      return {};
    return {fmt::format("query {}: '{}' is {}", excerpt(query_.name, 80),
                        excerpt(model_.variable(id).name),
                        isOpen ? "neither free nor reduced, and not observed or cut off any more"
                               : "free or reduced, and do() leaves it in none of its factors"),
            "--query takes the query as it is to be", id};
  }

  QueryFault addSoftEvidence() {
    std::vector<FactorId> added;
    for (const FactorId id : model_.evidence.likelihoods)
      if (const VarId variable = model_.factor(id).scope.front(); isInScope_[variable.index()]) {
        if (std::string fault = softCostFault(model_, query_, variable); !fault.empty())
          return {std::move(fault), "", variable};
        added.push_back(id);
      }
    query_.factors.insert(query_.factors.end(), added.begin(), added.end());
    std::ranges::sort(query_.factors);
    return {};
  }

  const Model &model_;
  Query &query_;
  std::vector<bool> isInScope_, isNamed_; ///< by variable: of a factor; free or reduced
};

} // namespace

namespace {

/// Returns a condition that contradicts the evidence.
QueryFault conditionFault(const Model &model, const Query &query) {
  for (const Observation &seen : query.given)
    if (const auto state = model.evidence.state(seen.variable); state && *state != seen.state)
      return {fmt::format("query {}: its condition on '{}' contradicts the evidence",
                          excerpt(query.name, 80), excerpt(model.variable(seen.variable).name)),
              "--query takes the query as it is to be", seen.variable};
  return {};
}

} // namespace

QueryFault settleQuery(const Model &model, Query &query) {
  if (QueryFault fault = conditionFault(model, query); !fault.text.empty())
    return fault;
  if (traitsOf(query.kind).isExpression())
    return Settlement(model, query).run();
  query.factors.clear();
  for (size_t i = 0; i < model.factors.size(); ++i)
    query.factors.emplace_back(i);
  return {};
}

} // namespace mpf
