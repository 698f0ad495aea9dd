// TRANSFER PLAN of a run on one GPU, as plain data: the copies that overlap launches, on a second
// stream. Each group of copies ends before a launch, or begins after one (launch_plan.h). ICPP'10,
// section 4.4.2, hides copies behind the host's scheduling. Here launches are planned in advance,
// and launches hide copies.
//
// Buffers in no group are copied on the stream of the launches: inputs before the first launch,
// results after the last. A group needs events, which cost some microseconds, so small programs
// have no groups. build_transfer_plan.h makes the plan, verify_transfer_plan.h checks it, and
// `--emit=schedule --device gpu` prints it.
#pragma once

#include <cstdint>
#include <vector>

namespace mpf {

/// Inputs that no launch before `before` reads. That launch waits until they are copied.
struct UploadGroup {
  uint32_t before = 0;           ///< index into LaunchPlan::launches
  std::vector<uint32_t> buffers; ///< inputs, ascending
  bool operator==(const UploadGroup &) const = default;
};

/// Results whose memory no launch after `behind` writes. They are copied while later launches run.
struct DownloadGroup {
  uint32_t behind = 0;           ///< index into LaunchPlan::launches
  std::vector<uint32_t> buffers; ///< results, ascending
  bool operator==(const DownloadGroup &) const = default;
};

struct TransferPlan {
  std::vector<UploadGroup> uploads;     ///< `before` ascends
  std::vector<DownloadGroup> downloads; ///< `behind` ascends
  bool operator==(const TransferPlan &) const = default;
};

} // namespace mpf
