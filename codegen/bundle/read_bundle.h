// .mpfb file -> Bundle.
#pragma once

#include "codegen/bundle/bundle.h"

#include <string_view>

namespace mpf {

/// Reads and verifies (verifyBundle). Throws Error(BadInput) with the place and both numbers for
/// anything that is not a whole, undamaged bundle of this version; allocates at most
/// kMaxUnpackFactor (section.h) times the size of the file. GPU kernels in it are foreign
/// (Bundle::foreignKernels).
Bundle parseBundle(std::string_view file);
Bundle readBundle(const std::string &path);

} // namespace mpf
