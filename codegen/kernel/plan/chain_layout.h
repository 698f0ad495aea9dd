// The layout of a chain plan's images in shared memory (chain_plan.h): the order of their parts,
// and paddings, chosen so that neither writing nor reading an image has bank conflicts.
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/chain_plan.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Which parts have the smallest strides in an image. The first image has the message's order in
/// either case.
enum class ImageOrder {
  WriterFirst, ///< register parts of the writing phase, so that its stores are vectors
  ReaderFirst, ///< thread parts of the reading phase, so that its lanes load neighbours
};

/// Sets strides and size of the image that `phase` reads. paddings[i] elements are added behind the
/// i-th part in the image's order, smallest stride first (missing entries count as 0).
void layOutImage(ChainPlan &plan, size_t phase, ImageOrder order,
                 const std::vector<uint64_t> &paddings);

/// The cost of writing and of reading the image of `phase` once for one page, all threads of a
/// block together.
struct ImageCost {
  uint64_t wavefronts = 0;
  uint64_t phases = 0;   ///< wavefronts if nothing conflicted
  uint64_t requests = 0; ///< warp instructions
};
/// The image that `phase` reads must have its layout (layOutImage).
ImageCost imageCost(const ChainPlan &plan, size_t phase, const Target &target);

/// Chooses order and paddings of every image by steepest descent on wavefronts, requests and size,
/// and sets plan.conflictFree. Call setChainLaunch afterwards: the launch depends on the images.
void padImages(ChainPlan &plan, const Target &target);

/// Whether no image has a bank conflict.
bool isConflictFree(const ChainPlan &plan, const Target &target);

} // namespace mpf
