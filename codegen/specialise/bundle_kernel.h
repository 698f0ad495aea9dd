// Converts specialised kernels to the form of bundles.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/kernel/kernel_plan.h"

#include <string>

namespace mpf {

/// Returns a kernel in the form of a bundle: its plan's text and its source, self-contained CUDA
/// text.
BundleKernel bundleKernel(const KernelPlan &plan);

} // namespace mpf
