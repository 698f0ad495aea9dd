// Checks the invariants of a transfer plan against its launch plan.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launches/launch_plan.h"
#include "runtime/schedule/transfers/transfer_plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf {

/// Returns the first fault in one sentence, or an empty string. `wanted`: buffers of the results
/// that are copied to the host. The launch plan must be sound (verify_launch_plan.h). The
/// invariants:
/// - Groups are in the order of their launches, which the plan has, and none is empty. Each buffer
///   is in one group at most.
/// - Groups of uploads have inputs. No launch before the one that waits for them reads them.
/// - Groups of downloads have wanted results. A launch up to `behind` writes each of them, and no
///   later one writes its memory. So no result is copied before it is final, or while another one
///   overwrites it.
///
/// The check looks at launches one by one, without transfer_use.h. Time: launches times buffers in
/// groups.
std::string findFault(const TransferPlan &transfers, const LaunchPlan &plan, const Bundle &bundle,
                      const std::vector<uint32_t> &wanted);

} // namespace mpf
