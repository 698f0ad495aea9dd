// Specialised kernels as bundles hold them.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/kernel/kernel_plan.h"

#include <string>

namespace mpf {

/// A kernel as the bundle holds it: its plan's text and its source, self-contained CUDA text.
BundleKernel bundleKernel(const KernelPlan &plan);

} // namespace mpf
