// Text -> nest plan, as part of a text of plans (codegen/kernel/read_kernel.h). Names and numbers
// are resolved and in range; whether the plan is sound is for verify_nest.h.
#pragma once

#include "codegen/kernel/plan/nest_plan.h"
#include "codegen/kernel/text/plan_head.h"

namespace mpf {

/// Reads a plan behind its head, up to its line 'end'. `lines` must be at the last line of the
/// head. Returns none when something was reported.
std::optional<NestPlan> readNest(const PlanHead &head, LineReader &lines);

} // namespace mpf
