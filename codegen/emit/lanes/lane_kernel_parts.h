// The common parts of all kernels of lanes, whether a thread or a team computes a case.
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

/// Returns the text of a posterior's share `entry` * `share`, in type `type`. `mayVanish` (of
/// linear_plan.h): an entry other than 0 whose product is 0 becomes the least number of the type.
/// The host takes a share that is no normal number as vanished (lane_kernel.h).
std::string shareText(const std::string &entry, const std::string &share, const std::string &type,
                      bool mayVanish);

/// Sets the name and the source of a kernel whose text is `body`; the body calls it MPF_LANES.
void nameLaneKernel(LaneKernel &kernel, const std::string &body);

/// Returns the length of the head that all kernels of lanes begin with, edited ones too: the device
/// functions and the line that names the kernel. 0 if `text` does not begin with them.
size_t laneHeadBytes(std::string_view text);
/// Returns the name in that line; empty if `text` has no such head.
std::string_view laneKernelName(std::string_view text);

/// Whether `text` is the unedited source of a kernel of lanes: the name is a hash of the rest.
bool isNamedLaneText(std::string_view text);

} // namespace mpf
