// Finds the tables that an executor of a lane program stores once for all lanes.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Returns the tables of kind Values and Common that steps or the traceback read, ascending. Tables
/// that only common operations read are not needed once these have run.
std::vector<uint32_t> sharedTables(const LaneProgram &program);

} // namespace mpf
