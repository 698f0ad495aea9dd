#include "dsl/model/model.h"

#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "dsl/syntax/query_names.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace mpf {

bool readsSwept(const std::vector<Param> &params, const Expression &expression) {
  return std::ranges::any_of(expression.code, [&params](const Instruction &instruction) {
    return instruction.code == OpCode::Param && params[instruction.slot].isSwept;
  });
}

void markSwept(Model &model) {
  std::unordered_set<std::string_view> swept; // only looked up
  for (const SweptParam &sweep : model.sweeps)
    swept.insert(sweep.name);
  for (Param &param : model.params) // sources are in front
    param.isSwept = swept.contains(param.name) || readsSwept(model.params, param.derivation);
}

bool isSwept(const Model &model, const TableFormula *formula) {
  return formula != nullptr && !model.sweeps.empty() &&
         std::ranges::any_of(formula->parts, [&model](const FormulaPart &part) {
           return readsSwept(model.params, part.expression);
         });
}

bool isSetByCases(const Model &model, VarId variable) {
  const auto sets = [variable](const CaseVariable &set) { return set.variable == variable; };
  return model.cases && (std::ranges::any_of(model.cases->schema().observed, sets) ||
                         std::ranges::any_of(model.cases->schema().likelihoods, sets));
}

bool mayBeNegative(const Factor &factor) {
  const TableValues &stored = storedValues(factor);
  if (factor.bindsNegative || !stored)
    return factor.bindsNegative;
  const size_t elems = factor.wide ? stored->size() / 2 : stored->size(); // mantissas come first
  return std::ranges::any_of(std::span(*stored).first(elems),
                             [](double value) { return value < 0; });
}

size_t ownVariableCount(const Model &model) {
  const auto isOwn = [](const Variable &variable) { return !variable.auxiliary; };
  return static_cast<size_t>(std::ranges::partition_point(model.variables, isOwn) -
                             model.variables.begin());
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
  MPF_CHECK(traits.isShortForm(), "an {} is not a short form", traits.name);
  query.name = traits.keyword;
  if (traits.arguments == QueryArguments::Count)
    query.name += fmt::format("({})", sampleCount);
  if (traits.arguments == QueryArguments::Variables) {
    std::string_view before = "(";
    for (const VarId id : output) {
      query.name += before;
      query.name += nameInQuery(model.variable(id).name);
      before = ", ";
    }
    query.name += ')';
  }
  query.output = std::move(output);
  return query;
}

} // namespace mpf
