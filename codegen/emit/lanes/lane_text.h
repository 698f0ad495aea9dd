// The text of a kernel of lanes (emit_lanes.h), which calls it MPF_LANES.
#pragma once

#include "codegen/bundle/lanes/lane_image.h"
#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/lanes/linear_plan.h"

#include <string>

namespace mpf {

/// Of `kernel` the launch and the order of codes are read.
std::string laneText(const LaneProgram &program, const CommonTables &common, const LinearPlan &plan,
                     ElementType type, const LaneImage &image, const LaneKernel &kernel);

} // namespace mpf
