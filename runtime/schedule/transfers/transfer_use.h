// Which launches of a plan read which inputs first, and write the memory of which results last.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launches/launch_plan.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mpf {

/// By buffer: index into LaunchPlan::launches; none: no launch does.
struct TransferUse {
  std::vector<std::optional<uint32_t>> firstReader; ///< of inputs
  /// Of results that a launch computes: of any byte, whoever's it is. Memory is used again.
  std::vector<std::optional<uint32_t>> lastWriter;
};

/// The results that a launch stores, buffers: of a chain the last one alone.
std::vector<uint32_t> resultsOf(const Bundle &bundle, const LaunchPlan &plan, const Launch &launch);

/// Takes time nearly linear in the operands of all launches. The plan must be sound
/// (verify_launch_plan.h).
TransferUse transferUse(const Bundle &bundle, const LaunchPlan &plan);

} // namespace mpf
