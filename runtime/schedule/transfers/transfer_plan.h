// TRANSFER PLAN of a run on one GPU, as plain data: which of its copies stand beside the launches,
// on a second stream, and in front of or behind which launch (launch_plan.h). ICPP'10, section
// 4.4.2, hides copies behind the host's scheduling; here launches are planned before, and copies
// hide behind launches.
//
// What is in no group is copied on the stream of the launches: inputs in front of the first launch,
// results behind the last. An event holds a group and its launch together, and costs some
// microseconds; so a small program has no groups. Made by build_transfer_plan.h, checked by
// verify_transfer_plan.h; `--emit=schedule --device gpu` prints it.
#pragma once

#include <cstdint>
#include <vector>

namespace mpf {

/// Inputs that no launch in front of `before` reads. That one waits until they are up.
struct UploadGroup {
  uint32_t before = 0;           ///< index into LaunchPlan::launches
  std::vector<uint32_t> buffers; ///< inputs, ascending
  bool operator==(const UploadGroup &) const = default;
};

/// Results that no launch behind `behind` writes, nor any memory of theirs: they come down while
/// the launches go on.
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
