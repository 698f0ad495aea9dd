// Chooses the kernel for a lane program: one thread for each case if a thread can hold a case
// (emit_lanes.h), else a team of warps (teams/emit_teams.h).
#pragma once

#include "codegen/emit/lanes/emit_lanes.h"
#include "codegen/emit/lanes/teams/emit_teams.h"

#include <optional>

namespace mpf {

struct LaneLimitsOfDevice {
  LaneKernelLimits threads;
  TeamKernelLimits teams;
};

LaneLimitsOfDevice laneLimitsOf(const Target &target);

/// Returns the limits of a device for cases that table-driven kernels would answer in `seconds`, if
/// that is known. Compiling a kernel may take half of this time, and at most 20 seconds.
LaneLimitsOfDevice laneLimitsFor(const Target &target, std::optional<double> seconds);
/// Returns the predicted seconds to compile a kernel of `terms` terms with a thread for each case.
double laneCompilingSeconds(uint64_t terms);
/// Returns a target with the shared memory that every device has; it serves devices that the
/// planner does not know.
Target leastTarget();

/// Returns the kernel, or nothing if the program exceeds both limits; the table-driven teams
/// (team_source.h) answer it then. The preconditions are those of emitLanes.
std::optional<LaneKernel> emitLaneKernel(const LaneProgram &program, const CommonTables &common,
                                         const LinearPlan &plan, ElementType type,
                                         const LaneLimitsOfDevice &limits = {});

} // namespace mpf
