// Specialised kernels as bundles hold them.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/kernel/plan/kernel_plan.h"

#include <string>

namespace mpf {

/// A kernel as the bundle holds it.
BundleKernel bundleKernel(std::string name, std::string plan, std::string source,
                          const LaunchShape &launch);

/// Specialised kernels load up to 16 bytes at once: a slice must start where that is allowed.
bool slicesAreAligned(const BundleOperation &operation, ElementType type);

} // namespace mpf
