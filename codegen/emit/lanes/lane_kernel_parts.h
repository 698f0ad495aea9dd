// What kernels of lanes have in common, whoever computes a case.
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/lanes/linear_plan.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace mpf {

/// Sets how codes, results and exponents of `program` lie in memory.
void describeLaneKernel(const LaneProgram &program, const LinearPlan &plan, LaneKernel &kernel);

/// Sets name and source, of a kernel whose text is `body`; there it is called MPF_LANES.
void nameLaneKernel(LaneKernel &kernel, const std::string &body);

/// The bytes of a text that all kernels of lanes have in front of their own, edited ones too: the
/// device functions and the line that names the kernel. 0 when it does not begin with them.
size_t laneHeadBytes(std::string_view text);
/// The name in that line; empty when there is none.
std::string_view laneKernelName(std::string_view text);

/// Whether a text is the source of such a kernel, as it was written: its name tells.
bool isNamedLaneText(std::string_view text);

} // namespace mpf
