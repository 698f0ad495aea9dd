// The queries of a program that answers several ones together (codegen/pipeline/joint_queries.h).
#pragma once

#include "codegen/bundle/bundle.h"
#include "dsl/model/model.h"
#include "runtime/api/session.h"
#include "tools/mpfc/options/options.h"
#include "tools/mpfc/process/refusals.h"

#include <functional>
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

/// Compiles and runs each query of a joined bundle of `model` alone, after their common run failed:
/// one of them may be the reason. Adds those that fail alone to `refusals`.
void runApart(const Model &model, const Bundle &joined, const Options &options, Refusals &refusals,
              const std::function<void(const Program &)> &run);

} // namespace mpf::driver
