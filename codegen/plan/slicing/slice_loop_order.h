// Decides how the loops over sliced variables are nested so that little work is repeated, and
// computes the work.
#pragma once

#include "codegen/plan/slicing/slice_estimate.h"

#include <vector>

namespace mpf {

/// The loops before they are nested, indexed like the bits of BucketEstimate::dependsOn.
struct UnorderedLoops {
  const std::vector<VarId> &sliced;
  std::vector<double> log2Extents;
  std::vector<uint32_t> ends; ///< Loop::end of slice_estimator.h: a loop that ends earlier must be
                              ///< inside those that end later
};

/// Sets sliced, loops, log2Work and log2Slices of `estimate`, whose buckets and ties must be there.
/// Among loops that end together, the innermost is always the one that would run for the least
/// time, inside loops over no more variables than its buckets depend on. A bucket counts as at
/// least `leastAddresses`.
void orderSliceLoops(SliceEstimate &estimate, const UnorderedLoops &loops, double leastAddresses);

} // namespace mpf
