// Text -> chain plan, as part of a text of plans (codegen/kernel/read_kernel.h). Numbers are
// checked to be numbers and names to be known; whether the plan is sound is for verify_chain.h.
#pragma once

#include "codegen/kernel/plan/chain_plan.h"
#include "codegen/kernel/text/plan_head.h"

namespace mpf {

/// From the last line of its head, which `lines` is at, to the plan's line 'end'. None when
/// something was reported.
std::optional<ChainPlan> readChain(const PlanHead &head, LineReader &lines);

} // namespace mpf
