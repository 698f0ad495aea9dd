#include "tools/mpfc/compile/joined_queries.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <unordered_map>

namespace mpf::driver {

bool isJoined(const Bundle &bundle) {
  return traitsOf(bundle.kind).outputs == QueryOutputs::Joints;
}

std::vector<std::string> queriesOf(const Bundle &bundle) {
  if (!isJoined(bundle))
    return {bundle.name};
  std::vector<std::string> names;
  for (size_t i = 1; i < bundle.outputs.size(); ++i) // the first is the evidence
    names.push_back(bundle.outputs[i].name);
  return names;
}

void refuseTogether(const std::vector<std::string> &queries, const Error &error,
                    Refusals &refusals) {
  refusals.add(queries.front(), error);
  for (size_t i = 1; i < queries.size(); ++i)
    refusals.add(queries[i], Error(error.kind(), fmt::format("query {} is refused with query {}",
                                                             queries[i], queries.front())));
}

std::optional<Error> refusalOf(const std::string &query, const std::function<void()> &work) {
  std::optional<Error> why;
  RefusalPolicy([&why](const std::string &, const Error &error) {
    why = error;
  }).attempt(query, work);
  return why;
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
