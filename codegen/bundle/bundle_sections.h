// The sections of a table program in a .mpfb file: the text of its head, its body as JSON
// (bundle_json.h), the entries of its tables, the images of its kernels.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/section.h"

#include <string>

namespace mpf {

void appendBundle(std::string &file, const Bundle &bundle);

/// Reads and verifies (verifyBundle). Throws Error(BadInput) with the place and both numbers for
/// anything that is not a whole, sound bundle. GPU kernels in it are foreign
/// (Bundle::foreignKernels).
Bundle readBundleSections(SectionReader &reader);

} // namespace mpf
