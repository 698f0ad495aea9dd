// In which order the loops over sliced variables repeat least work, and how much that is.
#pragma once

#include "codegen/plan/slice_estimate.h"

#include <vector>

namespace mpf {

/// Puts estimate.sliced in order and adds up log2Work and log2Slices. `sliced` and `log2Extents`:
/// by the bits of BucketEstimate::dependsOn.
void orderSliceLoops(SliceEstimate &estimate, const std::vector<VarId> &sliced,
                     const std::vector<double> &log2Extents);

} // namespace mpf
