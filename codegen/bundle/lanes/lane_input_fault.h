// Whether inputs fit the tables of cases that they are.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <string>

namespace mpf {

/// What is wrong with the inputs of a program whose variables, schema and formulas are sound;
/// empty: nothing.
std::string laneInputFault(const LaneProgram &program);

} // namespace mpf
