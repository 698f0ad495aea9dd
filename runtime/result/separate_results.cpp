#include "runtime/result/separate_results.h"

#include <utility>

namespace mpf {

std::vector<Result> separateResults(Result result) {
  std::vector<Result> results;
  if (traitsOf(result.kind).outputs != QueryOutputs::Joints) {
    results.push_back(std::move(result));
    return results;
  }
  std::vector<ResultTable> tables = std::exchange(result.tables, {});
  result.kind = QueryKind::Joint;
  for (size_t i = 1; i < tables.size(); ++i) { // the first is the evidence
    Result own = result;
    own.query = tables[i].name;
    own.tables.push_back(std::move(tables[i]));
    results.push_back(std::move(own));
  }
  return results;
}

} // namespace mpf
