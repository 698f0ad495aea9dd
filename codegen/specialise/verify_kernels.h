// DECIDES WHICH KERNELS ARE OURS. The text of such a kernel is what the emitters make of the plan
// beside it. The plan is sound, and it is one of the operations that the kernel is launched for.
// Nothing else in the file is trusted (runtime/TRUST.md).
#pragma once

#include "codegen/bundle/bundle.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mpf {

/// Returns why kernel number `kernel` is not ours, in one sentence; empty: it is. The bundle is
/// verified. Thread-safe.
std::string foreignFault(const Bundle &bundle, uint32_t kernel);

/// Checks the kernels of a bundle that was read from `file`. Throws Error(BadInput) for the first
/// kernel that is not ours. Otherwise they are no longer foreign. Machine code, which cannot be
/// checked, is removed. Returns the number of images removed.
size_t adoptKernels(Bundle &bundle, const std::string &file);

/// Restores the kernels `known` of a bundle of ours where others, such as a cache, have replaced
/// them by kernels that are not ours.
void keepVerifiedKernels(Bundle &bundle, const std::vector<BundleKernel> &known);

} // namespace mpf
