// Follows a bundle's traceback on the host: finds assignments from the tables of a finished run.
#pragma once

#include "runtime/execute/host/executor.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Does the work of Executor::decode for an executor whose tables are on the host. The bundle must
/// have passed verifyBundle. Takes time linear in the sum of the steps' extents.
std::vector<std::vector<uint32_t>> decodeTables(const Bundle &bundle, const Executor &executor,
                                                const DecodeRequest &request);

} // namespace mpf
