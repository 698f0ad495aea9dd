#include "dsl/model/model.h"

#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "dsl/support/expression/check_expression.h"

#include <algorithm>
#include <set>
#include <utility>

namespace mpf {

bool isSwept(const Model &model, const TableFormula *formula) {
  if (formula == nullptr || model.sweeps.empty())
    return false;
  const std::vector<uint32_t> direct = paramsOf(*formula);
  std::set<uint32_t> slots(direct.begin(), direct.end());
  addSources(model.params, slots);
  return std::ranges::any_of(slots, [&model](uint32_t slot) {
    return std::ranges::find(model.sweeps, model.params[slot].name, &SweptParam::name) !=
           model.sweeps.end();
  });
}

bool isSetByCases(const Model &model, VarId variable) {
  const auto sets = [variable](const CaseVariable &set) { return set.variable == variable; };
  return model.cases && (std::ranges::any_of(model.cases->schema().observed, sets) ||
                         std::ranges::any_of(model.cases->schema().likelihoods, sets));
}

std::vector<double> paramValues(const Model &model) {
  std::vector<double> values;
  for (const Param &param : model.params)
    values.push_back(param.value);
  return values;
}

uint64_t scopeElems(const Model &model, const std::vector<VarId> &scope) {
  uint64_t elems = 1;
  for (const VarId id : scope)
    elems = saturatingMul(elems, model.variable(id).extent);
  return elems;
}

ElementType elementTypeOf(const Query &query, std::optional<ElementType> asked) {
  return asked.value_or(query.type.value_or(ElementType::F64));
}

Query shortQuery(const Model &model, QueryKind kind, std::vector<VarId> output,
                 uint64_t sampleCount) {
  Query query;
  query.kind = kind;
  query.sampleCount = sampleCount;
  query.factors.reserve(model.factors.size());
  for (size_t i = 0; i < model.factors.size(); ++i)
    query.factors.emplace_back(i);
  const QueryTraits &traits = traitsOf(kind);
  MPF_CHECK(!traits.isExpression(), "an {} is not a short form", traits.name);
  query.name = traits.keyword;
  if (traits.arguments == QueryArguments::Count)
    query.name += fmt::format("({})", sampleCount);
  if (traits.arguments == QueryArguments::Variables) {
    std::string_view before = "(";
    for (const VarId id : output) {
      query.name += before;
      query.name += model.variable(id).name;
      before = ", ";
    }
    query.name += ')';
  }
  query.output = std::move(output);
  return query;
}

} // namespace mpf
