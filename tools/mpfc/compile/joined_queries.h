// The queries of a program that answers several ones together (codegen/pipeline/joint_queries.h).
#pragma once

#include "codegen/bundle/bundle.h"
#include "dsl/support/error.h"
#include "runtime/result/result.h"
#include "tools/mpfc/cases/case_list.h"
#include "tools/mpfc/options/options.h"
#include "tools/mpfc/process/refusals.h"

#include <string>
#include <vector>

namespace mpf::driver {

/// Whether the bundle answers several queries.
bool isJoined(const Bundle &bundle);

/// Returns the queries, joined where that is predicted to pay for the cases of the list.
std::vector<Query> joinedForList(const CaseList &list, const std::vector<Query> &queries,
                                 const Options &options);

/// Adds a refusal for each of the queries, at least one, that one error ends.
void refuseTogether(const std::vector<std::string> &queries, const Error &error,
                    Refusals &refusals);

/// Sorts the results as `queries` were asked: joined queries are answered together.
void sortAsAsked(const std::vector<std::string> &queries, std::vector<Result> &results);

} // namespace mpf::driver
