#include "tools/mpfc/compile/select_query.h"

#include "dsl/formats/load_text.h"
#include "dsl/formats/uai/uai_evidence.h"
#include "dsl/model/build/ask_model.h"
#include "dsl/support/check.h"
#include "tools/mpfc/process/output.h"

#include <utility>

namespace mpf::driver {

namespace {

/// The query for the most probable states of `variables`, with all others summed out.
Query marginalMap(const Model &model, std::vector<VarId> variables) {
  Query query = shortQuery(model, QueryKind::Evidence);
  query.name = "mmap";
  query.kind = QueryKind::Expression;
  std::vector<bool> maximised(model.variables.size(), false);
  for (const VarId id : variables)
    maximised[id.index()] = true;
  std::vector<VarId> summed;
  for (size_t i = 0; i < model.variables.size(); ++i)
    if (!maximised[i])
      summed.emplace_back(i);
  query.reductions = {{Reduce::Max, std::move(variables)}, {Reduce::Sum, std::move(summed)}};
  return query;
}

/// Returns the short form with the type that the model gives the same one.
Query typed(const Model &model, Query query) {
  takeTypeOfSame(model.queries, query);
  return query;
}

/// Makes the query of --uai-query. Its meaning for the competitions and merlin depends on the task.
Query queryOfFile(const Model &model, const Options &options) {
  if (options.task && *options.task != UaiTask::Mar && *options.task != UaiTask::Mmap)
    fail(ErrorKind::Usage, "--uai-query is for --task MAR (a joint posterior) and MMAP, and alone");
  Diagnostics diagnostics;
  auto variables = readQueryVariables(loadText(options.queryFile), model, diagnostics);
  printDiagnostics(diagnostics);
  MPF_CHECK(variables.has_value(), "{}: no variables and no error reported", options.queryFile);
  return options.task == UaiTask::Mmap
             ? marginalMap(model, std::move(*variables))
             : typed(model, shortQuery(model, QueryKind::Joint, std::move(*variables)));
}

} // namespace

std::vector<std::string> namesOf(const std::vector<Query> &queries) {
  std::vector<std::string> names;
  for (const Query &query : queries)
    names.push_back(query.name);
  return names;
}

std::vector<Query> selectQueries(const Model &model, const Options &options) {
  if (!options.queryFile.empty())
    return {queryOfFile(model, options)};
  if (options.task == UaiTask::Mmap)
    fail(ErrorKind::Usage, "--task MMAP needs --uai-query FILE: the variables to maximise over");
  if (options.task)
    return {typed(model, shortQuery(model, queryKindOfTask(*options.task).value()))};
  if (model.queries.empty())
    fail(ErrorKind::Usage, "the model asks for nothing: add a query, or --query marginals, best or "
                           "evidence");
  return model.queries; // those of --query, where it is given
}

} // namespace mpf::driver
