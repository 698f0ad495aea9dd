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
    const std::optional<VerifiedResult> verified = verifyResult(model, *query, result);
    if (!verified)
      continue;
    if (verified->leftOut.empty())
      say("mpfc: note: query {}: an enumeration of {} gives the same\n", query->name,
          counted(verified->states, "joint state", "joint states"));
    else
      say("mpfc: note: query {}: not compared with an enumeration: {}\n", query->name,
          verified->leftOut);
  }
}

} // namespace mpf::driver
