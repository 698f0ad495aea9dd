#include "tools/mpfc/select_query.h"

#include "dsl/support/error.h"

namespace mpf::driver {

namespace {

QueryKind kindOf(Task task) {
  switch (task) {
  case Task::Pr:
    return QueryKind::Evidence;
  case Task::Mar:
    return QueryKind::Marginals;
  case Task::Mpe:
    break;
  }
  return QueryKind::Best;
}

} // namespace

std::vector<Query> selectQueries(const Model &model, const Options &options) {
  if (options.task)
    return {shortQuery(model, kindOf(*options.task))};
  if (model.queries.empty())
    fail(ErrorKind::Usage, "the model asks for nothing: add a query, or --task PR, MAR or MPE");
  if (options.queryName.empty())
    return model.queries;
  std::string names;
  for (const Query &query : model.queries) {
    if (query.name == options.queryName)
      return {query};
    names += (names.empty() ? "" : ", ") + query.name;
  }
  fail(ErrorKind::Usage, "no query is called {}; there are {}", options.queryName, names);
}

} // namespace mpf::driver
