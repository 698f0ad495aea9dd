// Finds the first launch that reads each input, and the last one that writes memory of each result.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launches/launch_plan.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mpf {

/// Launches by buffer, as indices into LaunchPlan::launches; none: no launch uses the buffer.
struct TransferUse {
  std::vector<std::optional<uint32_t>> firstReader; ///< first reader of each input
  /// Last writer of any byte of each computed result, also if the byte is then another result's:
  /// memory is used again.
  std::vector<std::optional<uint32_t>> lastWriter;
};

/// Returns the buffers of the results that a launch stores: of a chain, only the last result.
std::vector<uint32_t> resultsOf(const Bundle &bundle, const LaunchPlan &plan, const Launch &launch);

/// Returns the first readers and last writers. Takes time nearly linear in the operands of all
/// launches. The plan must be sound (verify_launch_plan.h).
TransferUse transferUse(const Bundle &bundle, const LaunchPlan &plan);

} // namespace mpf
