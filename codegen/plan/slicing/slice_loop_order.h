// In which order the loops over sliced variables repeat least work, and how much that is.
#pragma once

#include "codegen/plan/slicing/slice_estimate.h"

#include <vector>

namespace mpf {

/// By the bits of BucketEstimate::dependsOn.
struct UnorderedLoops {
  const std::vector<VarId> &sliced;
  std::vector<double> log2Extents;
  std::vector<uint32_t> ends; ///< those that end earlier must be inside those that end later
};

/// Puts estimate.sliced in order and adds up log2Work and log2Slices.
void orderSliceLoops(SliceEstimate &estimate, const UnorderedLoops &loops);

} // namespace mpf
