// Follows a bundle's traceback on the host: finds assignments from the tables of a finished run.
#pragma once

#include "runtime/execute/host/executor.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Returns DecodeRequest::steps, or all steps if it is empty.
std::vector<uint32_t> stepsToTake(const Bundle &bundle, const DecodeRequest &request);

/// Does the work of Executor::decode for an executor whose tables are on the host. Takes the steps
/// in the bundle's order, the last eliminated variable first. Each step fixes its variable at the
/// state with the best product of the step's tables, given the states fixed before.
///
/// The product is the best one over the step's open variables (open_variables.h). Among equally
/// good states the lowest is taken. Returns one assignment for each start. The bundle must have
/// passed verifyBundle. Takes time linear in the sum of the joint states that the steps look at,
/// for each start.
std::vector<std::vector<uint32_t>> decodeTables(const Bundle &bundle, const Executor &executor,
                                                const DecodeRequest &request);

} // namespace mpf
