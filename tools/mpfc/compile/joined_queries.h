// The queries of a program that answers several ones together (codegen/pipeline/joint_queries.h).
#pragma once

#include "codegen/bundle/bundle.h"
#include "dsl/support/error.h"
#include "runtime/result/result.h"
#include "tools/mpfc/process/refusals.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mpf::driver {

/// Whether the bundle answers several queries.
bool isJoined(const Bundle &bundle);

/// Returns the names of the queries that the bundle answers, at least one.
std::vector<std::string> queriesOf(const Bundle &bundle);

/// Adds a refusal for each of the queries, at least one, that one error ends.
void refuseTogether(const std::vector<std::string> &queries, const Error &error,
                    Refusals &refusals);

/// Does `work` for `query`. Returns the error if it concerns one query alone; throws others.
std::optional<Error> refusalOf(const std::string &query, const std::function<void()> &work);

/// Sorts the results as `queries` were asked: joined queries are answered together.
void sortAsAsked(const std::vector<std::string> &queries, std::vector<Result> &results);

} // namespace mpf::driver
