#include "tools/mpfc/compile/joined_queries.h"

#include "codegen/pipeline/joint_queries.h"
#include "runtime/engine/planned_engine.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <unordered_map>

namespace mpf::driver {

bool isJoined(const Bundle &bundle) {
  return traitsOf(bundle.kind).outputs == QueryOutputs::Joints;
}

std::vector<Query> joinedForList(const CaseList &list, const std::vector<Query> &queries,
                                 const Options &options) {
  QueryPolicy policy;
  policy.settings = options;
  const CaseLoad load{list.source->likelyCount(), options.expectedRuns};
  return joinedForCases(list.single, queries, policy, load.cases());
}

void refuseTogether(const std::vector<std::string> &queries, const Error &error,
                    Refusals &refusals) {
  refusals.add(queries.front(), error);
  for (size_t i = 1; i < queries.size(); ++i)
    refusals.add(queries[i], Error(error.kind(), fmt::format("query {} is refused with query {}",
                                                             queries[i], queries.front())));
}

void sortAsAsked(const std::vector<std::string> &queries, std::vector<Result> &results) {
  std::unordered_map<std::string_view, size_t> places;
  for (const std::string &name : queries)
    places.try_emplace(name, places.size());
  std::ranges::stable_sort(results, {}, [&places](const Result &result) {
    const auto place = places.find(result.query);
    return place == places.end() ? SIZE_MAX : place->second;
  });
}

} // namespace mpf::driver
