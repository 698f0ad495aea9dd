// The sections of a lane program in a .mpfb file: its text (print_lane_program.h) and, apart from
// it, the entries of its tables as they lie in memory.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/section.h"

#include <string>

namespace mpf {

void appendLanes(std::string &file, const LaneProgram &program);

/// Reads and verifies (verifyLanes). Throws Error(BadInput) with the place and both numbers
/// for anything that is not one whole, sound program.
LaneProgram readLaneSections(SectionReader &reader);

} // namespace mpf
