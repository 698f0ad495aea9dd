#include "dsl/model/model.h"

#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <utility>

namespace mpf {

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
  switch (kind) {
  case QueryKind::Evidence:
    query.name = "evidence";
    break;
  case QueryKind::Marginals:
    query.name = "marginals";
    break;
  case QueryKind::Best:
    query.name = "best";
    break;
  case QueryKind::Gradient:
    query.name = "gradient";
    break;
  case QueryKind::Samples:
    query.name = fmt::format("samples({})", sampleCount);
    break;
  case QueryKind::Joint:
    for (const VarId id : output)
      query.name += (query.name.empty() ? "P(" : ", ") + model.variable(id).name;
    query.name += ')';
    break;
  case QueryKind::Expression:
    MPF_UNREACHABLE("an expression is not a short form");
  }
  query.output = std::move(output);
  return query;
}

} // namespace mpf
