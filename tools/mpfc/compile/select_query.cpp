#include "tools/mpfc/compile/select_query.h"

#include "dsl/formats/load_text.h"
#include "dsl/formats/uai_evidence.h"
#include "dsl/support/check.h"
#include "tools/mpfc/process/output.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace mpf::driver {

namespace {

/// The most probable states of `variables`, with all others summed out.
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

/// A word of ours in place of a file is a mistake that is easily made.
void requireQueryFile(const Model &model, const std::string &path) {
  if (std::error_code ignored; std::filesystem::exists(path, ignored))
    return;
  const auto isIt = [&path](const Query &query) { return query.name == path; };
  if (std::ranges::any_of(model.queries, isIt))
    fail(ErrorKind::Usage, "--query {}: that takes a file; --query-name {} is this query", path,
         path);
  constexpr std::pair<std::string_view, std::string_view> kTasks[] = {
      {"evidence", "PR"}, {"marginals", "MAR"}, {"best", "MPE"}};
  for (const auto &[word, task] : kTasks)
    if (path == word)
      fail(ErrorKind::Usage, "--query {}: that takes a file; --task {} asks for {}", path, task,
           path);
}

/// --query: what the competitions and merlin mean by it depends on the task.
Query queryOfFile(const Model &model, const Options &options) {
  if (options.task && *options.task != UaiTask::Mar && *options.task != UaiTask::Mmap)
    fail(ErrorKind::Usage, "--query is for --task MAR (a joint posterior) and MMAP, and alone");
  requireQueryFile(model, options.queryFile);
  Diagnostics diagnostics;
  auto variables = readQueryVariables(loadText(options.queryFile), model, diagnostics);
  printDiagnostics(diagnostics);
  MPF_CHECK(variables.has_value(), "{}: no variables and no error reported", options.queryFile);
  return options.task == UaiTask::Mmap ? marginalMap(model, std::move(*variables))
                                       : shortQuery(model, QueryKind::Joint, std::move(*variables));
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
    fail(ErrorKind::Usage, "--task MMAP needs --query FILE: the variables to maximise over");
  if (options.task)
    return {shortQuery(model, queryKindOfTask(*options.task).value())};
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
