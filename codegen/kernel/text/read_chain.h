// Text -> chain plan, as part of a text of plans (codegen/kernel/read_kernel.h). Numbers are
// checked to be numbers and names to be known; whether the plan is sound is for verify_chain.h.
#pragma once

#include "codegen/kernel/plan/chain_plan.h"
#include "codegen/kernel/text/plan_head.h"

namespace mpf {

/// Reads a plan behind its head, up to its line 'end'. `lines` must be at the last line of the
/// head. Returns none when something was reported.
std::optional<ChainPlan> readChain(const PlanHead &head, LineReader &lines);

} // namespace mpf
