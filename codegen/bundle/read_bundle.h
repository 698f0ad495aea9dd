// .mpfb file -> Bundle.
#pragma once

#include "codegen/bundle/bundle.h"

#include <string_view>

namespace mpf {

/// Reads and verifies (verifyBundle). Throws Error(BadInput) with the place and both numbers for
/// anything that is not a whole, undamaged bundle of this version; allocates at most
/// kMaxUnpackFactor (section.h) times the size of the file. GPU kernels in it are foreign
/// (Bundle::foreignKernels).
/// `file` is the contents of a bundle; nothing refers to it afterwards.
Bundle parseBundle(std::string_view file);
/// The same for a file; Error(BadInput) also if it cannot be read.
Bundle readBundle(const std::string &path);

} // namespace mpf
