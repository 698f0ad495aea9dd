#include "runtime/result/separate_results.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace mpf {

namespace {

/// The variables of a result that several tables share.
class SharedVariables {
public:
  SharedVariables(std::vector<ResultVariable> variables, Evidence evidence)
      : variables_(std::move(variables)), evidence_(std::move(evidence)) {
    for (size_t i = 0; i < variables_.size(); ++i)
      places_.try_emplace(variables_[i].name, i);
  }

  /// Gives `result` the variables of `table` and the observed ones.
  void give(const ResultTable &table, Result &result) const {
    std::vector<size_t> places;
    for (const Finding &finding : evidence_.findings)
      places.push_back(finding.variable.index());
    for (const std::string &name : table.variables)
      if (const auto found = places_.find(name); found != places_.end())
        places.push_back(found->second);
    std::ranges::sort(places);
    places.erase(std::ranges::unique(places).begin(), places.end());
    for (const size_t place : places)
      result.variables.push_back(variables_[place]);
    result.evidence = evidence_;
    for (Finding &finding : result.evidence.findings)
      finding.variable = VarId(static_cast<size_t>(
          std::ranges::lower_bound(places, finding.variable.index()) - places.begin()));
  }

private:
  const std::vector<ResultVariable> variables_;
  const Evidence evidence_;
  std::unordered_map<std::string_view, size_t> places_;
};

} // namespace

std::vector<Result> separateResults(Result result) {
  std::vector<Result> results;
  if (traitsOf(result.kind).outputs != QueryOutputs::Joints) {
    results.push_back(std::move(result));
    return results;
  }
  std::vector<ResultTable> tables = std::exchange(result.tables, {});
  const SharedVariables shared(std::exchange(result.variables, {}),
                               std::exchange(result.evidence, {}));
  result.kind = QueryKind::Joint;
  for (size_t i = 1; i < tables.size(); ++i) { // the first is the evidence
    Result own = result;
    own.query = tables[i].name;
    shared.give(tables[i], own);
    own.tables.push_back(std::move(tables[i]));
    results.push_back(std::move(own));
  }
  return results;
}

} // namespace mpf
