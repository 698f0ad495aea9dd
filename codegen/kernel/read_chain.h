// Text -> chain plan. Numbers are checked to be numbers and names to be known; whether the plan is
// sound is for verify_chain.h.
#pragma once

#include "codegen/kernel/chain_plan.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>

namespace mpf {

/// None when something was reported to `diagnostics`.
std::optional<ChainPlan> readChain(std::shared_ptr<const SourceBuffer> source,
                                   Diagnostics &diagnostics);

} // namespace mpf
