// Nests the loops over sliced variables so that least work is repeated, and computes that work.
#pragma once

#include "codegen/plan/slicing/slice_estimate.h"

#include <vector>

namespace mpf {

/// The loops before they are nested, indexed like the bits of BucketEstimate::dependsOn.
struct UnorderedLoops {
  const std::vector<VarId> &sliced;
  std::vector<double> log2Extents;
  std::vector<uint32_t> ends; ///< those that end earlier must be inside those that end later
};

/// Puts estimate.sliced in order and adds up log2Work and log2Slices.
void orderSliceLoops(SliceEstimate &estimate, const UnorderedLoops &loops);

} // namespace mpf
