// Checks that inputs fit the tables that cases give for them.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <string>

namespace mpf {

/// Returns the fault of the inputs of a program; empty if they are sound. The variables, schema and
/// formulas of the program must be sound.
std::string laneInputFault(const LaneProgram &program);

} // namespace mpf
