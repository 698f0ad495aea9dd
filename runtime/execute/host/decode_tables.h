// Follows a bundle's traceback on the host: finds assignments from the tables of a finished run.
#pragma once

#include "runtime/execute/host/executor.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// DecodeRequest::steps, all of them where it has none.
std::vector<uint32_t> stepsToTake(const Bundle &bundle, const DecodeRequest &request);

/// Does the work of Executor::decode for an executor whose tables are on the host. All steps are
/// taken in the bundle's order, the last eliminated variable first. Each fixes the state with the
/// best product of its tables at the states fixed before and at the best of its open variables
/// (open_variables.h); of equally good states it takes the lowest. Returns one assignment for each
/// start. The bundle must have passed verifyBundle. Takes time linear in the sum of the joint
/// states that the steps look at, for each start.
std::vector<std::vector<uint32_t>> decodeTables(const Bundle &bundle, const Executor &executor,
                                                const DecodeRequest &request);

} // namespace mpf
