#include "dsl/model/edit_evidence.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace mpf {

bool concerns(const Model &model, const Query &query, VarId variable) {
  if (!traitsOf(query.kind).isExpression())
    return true;
  return std::ranges::any_of(query.factors, [&](FactorId id) {
    return std::ranges::find(model.factor(id).scope, variable) != model.factor(id).scope.end();
  });
}

void addLikelihood(Model &model, Factor factor) {
  const FactorId id(model.factors.size());
  for (Query &query : model.queries)
    if (concerns(model, query, factor.scope.front()))
      query.factors.push_back(id);
  model.evidence.likelihoods.push_back(id);
  model.factors.push_back(std::move(factor));
}

void setValues(Factor &likelihood, TableValues stored, uint64_t elems) {
  forgetValues(likelihood);
  (stored->size() == elems ? likelihood.values : likelihood.wide) = std::move(stored);
  likelihood.formula = nullptr;
  likelihood.target = nullptr;
  likelihood.bindsNegative = false;
}

void removeFactors(Model &model, std::vector<FactorId> ids) {
  if (ids.empty())
    return;
  std::ranges::sort(ids);
  const auto isRemoved = [&](FactorId id) { return std::ranges::binary_search(ids, id); };
  const auto renumber = [&](std::vector<FactorId> &list) {
    std::erase_if(list, isRemoved);
    for (FactorId &id : list)
      id = FactorId(id.index() -
                    static_cast<size_t>(std::ranges::lower_bound(ids, id) - ids.begin()));
  };
  for (Query &query : model.queries)
    renumber(query.factors);
  renumber(model.evidence.likelihoods);
  std::vector<Factor> kept;
  for (size_t i = 0; i < model.factors.size(); ++i)
    if (!isRemoved(FactorId(i)))
      kept.push_back(std::move(model.factors[i]));
  model.factors = std::move(kept);
}

void removeFindings(Evidence &evidence, const std::set<VarId> &variables) {
  std::vector<Finding> &findings = evidence.findings;
  const auto isGone = [&](const Finding &finding) { return variables.contains(finding.variable); };
  std::vector<size_t> kept;
  for (size_t column = 0; column < findings.size(); ++column)
    if (!isGone(findings[column]))
      kept.push_back(column);
  if (kept.size() == findings.size())
    return;
  std::vector<uint32_t> states;
  states.reserve(evidence.caseCount * kept.size());
  for (uint64_t number = 0; number < evidence.caseCount; ++number)
    for (const size_t column : kept)
      states.push_back(evidence.statesOf(number)[column]);
  std::erase_if(findings, isGone);
  evidence.states = std::move(states);
}

} // namespace mpf
