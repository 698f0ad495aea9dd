#include "tools/mpfc/process/attempts.h"

#include "codegen/pipeline/joint_queries.h"

namespace mpf::driver {

std::optional<Error> refusalOf(const std::string &query, const std::function<void()> &work) {
  std::optional<Error> why;
  RefusalPolicy([&why](const std::string &, const Error &error) {
    why = error;
  }).attempt(query, work);
  return why;
}

void attemptJoined(const std::vector<Query> &queries, Refusals &refusals,
                   const std::function<void(const Query &)> &work) {
  for (const Query &query : queries)
    if (query.joined.empty() || refusalOf(query.name, [&] { work(query); }))
      for (const Query &one : membersOf(query))
        refusals.attempt(one.name, [&] { work(one); });
}

} // namespace mpf::driver
