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
  /// Results that come down behind the run, buffers.
  std::vector<uint32_t> wanted;
  LevelSpeed speed; ///< of the launches
  CopySpeed copies;
};

/// Groups of uploads as if all inputs had changed: a run that changes less may leave them out. A
/// sliced program has none: its launches are repeated. Deterministic. Looks at launches only where
/// copies take long enough to be hidden at all; time then: linear in launches and operands, but for
/// sorting.
TransferPlan buildTransferPlan(const Bundle &bundle, const LaunchPlan &plan,
                               const TransferOptions &options);

/// Bytes of an input on a GPU, or of a result.
uint64_t transferBytes(const Bundle &bundle, BufferId buffer);

} // namespace mpf
