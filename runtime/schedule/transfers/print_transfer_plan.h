// Prints transfer plans, a part of --emit=schedule. One line per group; no text without groups:
//   transfers 2
//   upload before=4 bytes=8388608 p(a), p(b)
//   download behind=7 bytes=4194304 m3
// Launches are those of the launch plan that is printed before, counted from 0.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/transfers/transfer_plan.h"

#include <string>

namespace mpf {

std::string printTransferPlan(const TransferPlan &transfers, const Bundle &bundle);

} // namespace mpf
