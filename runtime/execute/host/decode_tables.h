// Tables of a finished run -> assignments: the bundle's traceback, followed on the host.
#pragma once

#include "runtime/execute/host/executor.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Executor::decode on tables that the executor has on the host. The bundle passed verifyBundle.
/// Time: linear in the rows, which are the steps' extents; rows of log2 values or exact integers.
std::vector<std::vector<uint32_t>> decodeTables(const Bundle &bundle, const Executor &executor,
                                                const DecodeRequest &request);

} // namespace mpf
