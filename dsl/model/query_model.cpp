#include "dsl/model/query_model.h"

#include "dsl/source/text_error.h"

#include <algorithm>

namespace mpf {

namespace {

bool hasFinding(const Model &model, const Observation &condition) {
  return !model.evidence.listed && model.evidence.state(condition.variable) == condition.state;
}

} // namespace

Model modelOf(const Model &model, const Query &query) {
  Model own;
  own.name = model.name;
  own.variables = model.variables;
  own.factors = model.factors;
  own.evidence = model.evidence;
  own.findingPlaces = model.findingPlaces;
  own.cases = model.cases;
  own.listedCases = model.listedCases;
  own.params = model.params;
  own.sweeps = model.sweeps;
  own.orders = model.orders;
  std::vector<Observation> conditions;
  for (const Observation &seen : query.given) {
    if (hasFinding(own, seen))
      continue;
    if (own.evidence.observes(seen.variable))
      failAt(ErrorKind::BadInput, query.place,
             "query {}: '{}' is a condition of it, and the cases observe it", query.name,
             model.variable(seen.variable).name);
    conditions.push_back(seen);
  }
  own.evidence.add(std::move(conditions));
  for (size_t i = 0; i < own.variables.size() && !query.asked.empty(); ++i)
    own.variables[i].unasked = !isAsked(query, VarId{i});
  return own;
}

Query queryInOwnModel(Query query) {
  query.given.clear();
  query.asked.clear();
  return query;
}

} // namespace mpf
