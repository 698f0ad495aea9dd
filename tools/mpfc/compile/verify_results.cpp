#include "tools/mpfc/compile/verify_results.h"

#include "dsl/support/check.h"
#include "runtime/engine/enumerate/verify_result.h"
#include "tools/mpfc/compile/select_query.h"
#include "tools/mpfc/process/output.h"

#include <algorithm>
#include <optional>

namespace mpf::driver {

void verifyResults(const Model &model, const Options &options, const std::vector<Result> &results) {
  const std::vector<Query> queries = selectQueries(model, options);
  for (const Result &result : results) {
    const auto query = std::ranges::find(queries, result.query, &Query::name);
    if (query == queries.end())
      continue;
    if (const std::optional<uint64_t> states = verifyResult(model, *query, result))
      say("mpfc: note: query {}: an enumeration of {} gives the same\n", query->name,
          counted(*states, "joint state", "joint states"));
  }
}

} // namespace mpf::driver
