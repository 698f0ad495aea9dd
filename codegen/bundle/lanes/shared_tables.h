// Which tables an executor of a lane program stores once for all lanes.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// The tables of kind Values and Common that steps or the traceback read, ascending: what only
/// common operations read is not needed once they have run.
std::vector<uint32_t> sharedTables(const LaneProgram &program);

} // namespace mpf
