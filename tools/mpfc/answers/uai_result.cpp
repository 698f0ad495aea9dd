#include "tools/mpfc/answers/uai_result.h"

#include "dsl/formats/result_file.h"
#include "dsl/model/query_model.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace mpf::driver {

namespace {

[[noreturn]] void failWithoutFormat(const std::string &query) {
  fail(ErrorKind::Usage,
       "query {}: -o is for one number, marginals or a best assignment; --json holds any result",
       query);
}

[[noreturn]] void failWithoutMarginal(const std::string &query, const std::string &variable) {
  fail(ErrorKind::Usage,
       "query {}: MAR, the format of the UAI competitions, has the marginals of all variables: "
       "there is none of {}: .json, .csv and .npz hold those of some",
       query, variable);
}

double entryOf(const ResultTable &table, size_t i) { return table.at(i).nearest(); }

/// Returns the posterior of every variable in model order; an observed one is a point mass.
std::vector<std::vector<double>> marginalsOf(const Result &result) {
  std::unordered_map<std::string_view, const ResultTable *> posteriors; // looked up, never walked
  for (const ResultTable &table : result.tables)
    if (table.normalised && table.variables.size() == 1)
      posteriors.emplace(table.variables.front(), &table);
  std::vector<std::vector<double>> marginals;
  for (size_t v = 0; v < result.variables.size(); ++v) {
    const ResultVariable &variable = result.variables[v];
    std::vector<double> marginal(variable.extent, 0.0);
    if (const std::optional<uint32_t> state = result.evidence.state(VarId{v})) {
      marginal[*state] = 1;
    } else {
      const auto found = posteriors.find(variable.name);
      if (found == posteriors.end())
        failWithoutMarginal(result.query, variable.name);
      const ResultTable *table = found->second;
      MPF_CHECK(table->entries.size() == variable.extent, "marginal of {} has {} entries, not {}",
                variable.name, table->entries.size(), variable.extent);
      for (size_t i = 0; i < marginal.size(); ++i)
        marginal[i] = entryOf(*table, i);
    }
    marginals.push_back(std::move(marginal));
  }
  return marginals;
}

/// Returns the solutions with the best one last: in a result file the last one counts.
std::vector<std::vector<uint32_t>> solutionsOf(const Result &result) {
  MPF_CHECK(!result.assignments.empty(), "query {} has no assignment", result.query);
  std::vector<std::vector<uint32_t>> solutions;
  for (size_t i = result.assignments.size(); i-- > 0;)
    solutions.push_back(result.assignments[i].states);
  return solutions;
}

bool isOneNumber(const Result &result) {
  return result.tables.size() == 1 && result.tables.front().variables.empty() &&
         result.tables.front().at(0).sign() >= 0;
}

} // namespace

void requireUaiResult(const Model &model, const Query &query) {
  if (!traitsOf(query.kind).uai || !query.output.empty())
    failWithoutFormat(query.name);
  for (size_t v = 0; v < ownVariableCount(model); ++v)
    if (!model.evidence.observes(VarId{v}) && !isAsked(query, VarId{v}))
      failWithoutMarginal(query.name, model.variables[v].name);
}

std::string uaiResultText(const Result &result) {
  const std::optional<UaiTask> task = traitsOf(result.kind).uai;
  const bool isForStates =
      task != UaiTask::Pr && !result.tables.empty() && !result.tables.front().variables.empty();
  if (!task || (task == UaiTask::Pr && !isOneNumber(result)) || isForStates) // of held variables
    failWithoutFormat(result.query);
  MPF_CHECK(task == UaiTask::Pr || !result.zeroProbability,
            "query {}: posteriors of evidence of probability zero", result.query);
  ResultFile file;
  file.task = *task;
  switch (*task) {
  case UaiTask::Pr:
    file.log10Value = result.tables.front().at(0).log10();
    break;
  case UaiTask::Mar:
    file.marginals = marginalsOf(result);
    break;
  case UaiTask::Mpe:
    file.solutions = solutionsOf(result);
    break;
  case UaiTask::Mmap:
    MPF_UNREACHABLE("query {}: no kind of query answers MMAP", result.query);
  }
  return formatResult(file);
}

} // namespace mpf::driver
