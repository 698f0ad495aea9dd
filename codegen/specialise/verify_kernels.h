// WHICH KERNELS ARE OURS: the text of every kernel of a bundle is what the emitters make of the
// plan beside it, the plan is sound, and it is one of the operations that it is launched for.
// Nothing else in the file is trusted (README.md, "Trust").
#pragma once

#include "codegen/bundle/bundle.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mpf {

/// Why kernel number `kernel` is not ours, in one sentence; empty: it is. The bundle is verified.
/// Thread-safe.
std::string foreignFault(const Bundle &bundle, uint32_t kernel);

/// Checks the kernels of a bundle that was read from `file`. Throws Error(BadInput) for the first
/// kernel that is not ours. Otherwise they are no longer foreign; machine code, which nobody can
/// check, is removed. Returns the number of images removed.
size_t adoptKernels(Bundle &bundle, const std::string &file);

/// After others, such as a cache, have put kernels into a bundle of ours, in the place of `known`:
/// what is not ours is what it was before.
void keepVerifiedKernels(Bundle &bundle, const std::vector<BundleKernel> &known);

} // namespace mpf
