// The kernel scheme of ICS'08 for any bucket: the baseline of comparisons with the planner's
// kernels.
#pragma once

#include "codegen/kernel/build_kernel.h"
#include "tools/mpf-bench/shapes/bucket_shape.h"

namespace mpf::bench {

/// Returns the bucket with every variable above `mostValues` values split into several adjacent
/// ones (256 = 16 x 16). The paper's cache tag is a suffix of whole variables, and its variables
/// have at most ten values. Prime extents above `mostValues` are not split.
BucketShape withSmallVariables(const BucketShape &shape, uint32_t mostValues = 16);

/// Builds a kernel with one output per thread and page (ICS'08 sections 5 and 6). It uses the
/// largest cache tag whose outputs fit a block of 512 threads. The number of pages per block is 1,
/// 4, 16 or 64 (figure 6(b)), with the least modelled time. Other overrides in `options` apply.
/// Throws like buildKernel.
KernelPlan buildPaperKernel(const BucketShape &shape, Semiring semiring, KernelOptions options);

} // namespace mpf::bench
