// Attempts at queries that may be joined (codegen/pipeline/joint_queries.h).
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/error.h"
#include "tools/mpfc/process/refusals.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mpf::driver {

/// Does `work` for `query`. Returns the error if it concerns one query alone; throws others.
std::optional<Error> refusalOf(const std::string &query, const std::function<void()> &work);

/// Does `work` for each query. Where a joined query is refused, does it for each of its members.
void attemptJoined(const std::vector<Query> &queries, Refusals &refusals,
                   const std::function<void(const Query &)> &work);

} // namespace mpf::driver
