// Warp operations: lanes of a warp meet, and each gets a result.
#pragma once

#include "runtime/simt/block_thread.h"
#include "runtime/simt/report.h"

#include <span>

namespace mpf::simt {

/// A warp of a block that is being run.
struct WarpOfBlock {
  std::span<BlockThread> lanes;
  uint32_t block = 0;
  uint32_t firstThread = 0; ///< number of lane 0 in the block
};

/// Completes every warp operation whose lanes have all arrived, and counts it in `epoch`. Reports
/// operations whose lanes can no longer arrive. Returns true if some thread can go on.
bool finishWarpCalls(const WarpOfBlock &warp, uint32_t &epoch, Report &report);

} // namespace mpf::simt
