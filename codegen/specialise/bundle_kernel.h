// Specialised kernels as bundles hold them.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/kernel/kernel_plan.h"

#include <string>

namespace mpf {

/// A kernel as the bundle holds it: its plan's text and its source, self-contained CUDA text.
BundleKernel bundleKernel(const KernelPlan &plan);

/// Specialised kernels load up to 16 bytes at once: a slice must start where that is allowed.
bool slicesAreAligned(const BundleOperation &operation, ElementType type);

} // namespace mpf
