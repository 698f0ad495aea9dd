#include "dsl/model/query_model.h"

#include "dsl/source/text_error.h"

#include <algorithm>

namespace mpf {

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
  for (const Observation &seen : query.given)
    if (own.evidence.observes(seen.variable))
      failAt(ErrorKind::BadInput, query.place,
             "query {}: '{}' is a condition of it, and the cases observe it", query.name,
             model.variable(seen.variable).name);
  own.evidence.add(query.given);
  for (size_t i = 0; i < own.variables.size() && !query.asked.empty(); ++i)
    own.variables[i].unasked = !std::ranges::binary_search(query.asked, VarId{i});
  return own;
}

Query queryInOwnModel(Query query) {
  query.given.clear();
  query.asked.clear();
  return query;
}

} // namespace mpf
