// Builds the transfer plan (transfer_plan.h) of a launch plan, by predicted times.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launches/launch_plan.h"
#include "runtime/schedule/launches/level_time.h"
#include "runtime/schedule/transfers/hide_copies.h"
#include "runtime/schedule/transfers/transfer_plan.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct TransferOptions {
  /// Buffers of the results that are copied to the host.
  std::vector<uint32_t> wanted;
  LevelSpeed speed; ///< speed of the launches
  CopySpeed copies;
};

/// Returns a transfer plan. Uploads are those of a run in which all inputs have changed; other runs
/// may leave groups out. A sliced program has no groups, because its launches are repeated.
/// Deterministic. Launches are looked at only if copies take long enough to be hidden. Time: linear
/// in launches and operands, plus sorting.
TransferPlan buildTransferPlan(const Bundle &bundle, const LaunchPlan &plan,
                               const TransferOptions &options);

/// Returns the bytes of an input or a result on a GPU.
uint64_t transferBytes(const Bundle &bundle, BufferId buffer);

} // namespace mpf
