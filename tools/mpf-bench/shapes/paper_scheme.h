// The kernel scheme of ICS'08 for any bucket: the baseline of comparisons with the planner's
// kernels.
#pragma once

#include "codegen/kernel/build_kernel.h"
#include "tools/mpf-bench/shapes/bucket_shape.h"

namespace mpf::bench {

/// The same bucket with every variable above `mostValues` values written as several adjacent ones
/// (256 = 16 x 16): the paper's cache tag is a suffix of whole variables, and its variables have at
/// most ten values. Prime extents above stay as they are.
BucketShape withSmallVariables(const BucketShape &shape, uint32_t mostValues = 16);

/// Builds a kernel with one output per thread and page (ICS'08 sections 5 and 6). It takes the
/// largest cache tag whose outputs fit a block of 512 threads, and among 1, 4, 16 and 64 pages per
/// block (figure 6(b)) the number with the least modelled time. Other overrides in `options` apply.
/// Throws as buildKernel.
KernelPlan buildPaperKernel(const BucketShape &shape, Semiring semiring, KernelOptions options);

} // namespace mpf::bench
