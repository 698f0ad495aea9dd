// What kernels of lanes have in common, whoever computes a case.
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/lanes/linear_plan.h"

#include <string>
#include <string_view>

namespace mpf {

/// Sets how codes, results and exponents of `program` lie in memory.
void describeLaneKernel(const LaneProgram &program, const LinearPlan &plan, LaneKernel &kernel);

/// Sets name and source, of a kernel whose text is `body`; there it is called MPF_LANES.
void nameLaneKernel(LaneKernel &kernel, const std::string &body);

/// Whether a text is the source of such a kernel, as it was written: its name tells.
bool isNamedLaneText(std::string_view text);

} // namespace mpf
