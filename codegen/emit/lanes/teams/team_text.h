// The text of a team's kernel (emit_teams.h), which calls it MPF_LANES.
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "codegen/emit/lanes/teams/team_image.h"
#include "codegen/emit/lanes/teams/team_schedule.h"

#include <string>

namespace mpf {

/// Returns the text. `kernel` supplies the launch, the order of codes and the order of exponents.
/// `blocks` is the number of blocks that a multiprocessor shall hold at a time, `statements` the
/// number of statements of all tasks.
std::string teamText(const LaneProgram &program, const LinearPlan &plan, ElementType type,
                     const TeamSchedule &schedule, const TeamImage &image, const LaneKernel &kernel,
                     uint64_t blocks, uint64_t statements);

} // namespace mpf
