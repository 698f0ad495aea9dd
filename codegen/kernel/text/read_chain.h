// Text -> chain plan, as part of a text of plans (read_kernel.h). Numbers are checked to be numbers
// and names to be known; whether the plan is sound is for verify_chain.h.
#pragma once

#include "codegen/kernel/plan/chain_plan.h"
#include "dsl/source/line_reader.h"

#include <optional>

namespace mpf {

/// From the line 'chain NAME' that `lines` is at to the plan's line 'end'. None when something was
/// reported.
std::optional<ChainPlan> readChain(LineReader &lines);

} // namespace mpf
