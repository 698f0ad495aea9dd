// Prints a result in the format of the UAI competitions.
#pragma once

#include "dsl/model/model.h"
#include "runtime/result/result.h"

#include <string>

namespace mpf::driver {

/// Throws Error(Usage) if no result file of the competitions holds the answer to the query. Whether
/// a number is negative shows only in its result.
void requireUaiResult(const Model &model, const Query &query);

/// Returns PR for one non-negative number, MAR for marginals, MPE for best assignments. Several
/// assignments become several solutions with the best one last, since the last one counts. Throws
/// Error(Usage) for kinds of query that the format does not have. Precondition: not lacksAnswer
/// (print_answers.h).
std::string uaiResultText(const Result &result);

} // namespace mpf::driver
