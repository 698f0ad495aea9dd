#include "tools/mpfc/compile/joined_queries.h"

#include <fmt/format.h>

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

} // namespace mpf::driver
