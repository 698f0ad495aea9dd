// The images of a chain plan in shared memory: order of their parts and paddings, so that neither
// the requests that write an image nor those that read it conflict.
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/chain_plan.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Which parts are nearest. The first image has the message's order in either case.
enum class ImageOrder {
  WriterFirst, ///< the writer's register parts: its stores are vectors
  ReaderFirst, ///< the reader's thread parts: its loads are neighbours
};

/// Sets strides and size of image `phase`, with paddings[i] elements behind the i-th nearest part
/// (missing ones are 0).
void layOutImage(ChainPlan &plan, size_t phase, ImageOrder order,
                 const std::vector<uint64_t> &paddings);

/// What one page takes at image `phase`, all threads of a block, written once and read once.
struct ImageCost {
  uint64_t wavefronts = 0;
  uint64_t phases = 0;   ///< wavefronts without any conflict
  uint64_t requests = 0; ///< warp instructions
};
ImageCost imageCost(const ChainPlan &plan, size_t phase, const Target &target);

/// Chooses order and paddings of every image by descent on wavefronts, requests and size, and sets
/// plan.conflictFree. Widths and launch follow (setChainLaunch).
void padImages(ChainPlan &plan, const Target &target);

/// All images without a conflict.
bool isConflictFree(const ChainPlan &plan, const Target &target);

} // namespace mpf
