#include "tools/mpfc/uai_result.h"

#include "dsl/formats/result_file.h"
#include "dsl/support/check.h"

#include <string_view>
#include <unordered_map>

namespace mpf::driver {

namespace {

double entryOf(const ResultTable &table, size_t i) { return table.at(i).value().value_or(0); }

/// Every variable in model order; an observed one as a point mass.
std::vector<std::vector<double>> marginalsOf(const Result &result) {
  std::unordered_map<std::string_view, const ResultTable *> posteriors; // looked up, never walked
  for (const ResultTable &table : result.tables)
    if (table.normalised && table.variables.size() == 1)
      posteriors.emplace(table.variables.front(), &table);
  std::vector<std::vector<double>> marginals;
  for (const ResultVariable &variable : result.variables) {
    std::vector<double> marginal(variable.extent, 0.0);
    if (variable.observed) {
      marginal[*variable.observed] = 1;
    } else {
      const auto found = posteriors.find(variable.name);
      MPF_CHECK(found != posteriors.end(), "no marginal of {} among {} tables", variable.name,
                result.tables.size());
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

} // namespace

std::string uaiResultText(const Result &result) {
  ResultFile file;
  const bool oneNumber = (result.kind == "evidence" || result.kind == "expression") &&
                         result.tables.size() == 1 && result.tables.front().variables.empty();
  if (oneNumber && result.tables.front().at(0).sign() >= 0) {
    file.task = ResultTask::Pr;
    file.log10Value = result.tables.front().at(0).log10();
    return formatResult(file);
  }
  if (result.kind != "marginals" && result.kind != "best")
    fail(ErrorKind::Usage,
         "query {}: -o is for one number, marginals or a best assignment; --json holds any result",
         result.query);
  MPF_CHECK(!result.zeroProbability, "query {}: posteriors of evidence of probability zero",
            result.query);
  if (result.kind == "marginals") {
    file.task = ResultTask::Mar;
    file.marginals = marginalsOf(result);
  } else {
    MPF_CHECK(result.assignment.has_value(), "a best query without an assignment");
    file.task = ResultTask::Mpe;
    file.states = result.assignment->states;
  }
  return formatResult(file);
}

} // namespace mpf::driver
