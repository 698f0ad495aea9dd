// Which kernel is emitted for a lane program: a thread for each case where a thread holds one
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

/// The same for cases that table-driven kernels would answer in `seconds`, where that is known:
/// compiling a kernel may take half of these, but not longer than a person waits gladly.
LaneLimitsOfDevice laneLimitsFor(const Target &target, std::optional<double> seconds);
/// What it takes to compile a kernel of so many terms with a thread for each case, in seconds.
double laneCompilingSeconds(uint64_t terms);
/// The shared memory that all devices have: for those that the planner does not know.
Target leastTarget();

/// Nothing where the program is beyond both limits: then the table-driven teams answer it
/// (team_source.h). As emitLanes.
std::optional<LaneKernel> emitLaneKernel(const LaneProgram &program, const CommonTables &common,
                                         const LinearPlan &plan, ElementType type,
                                         const LaneLimitsOfDevice &limits = {});

} // namespace mpf
