// The rules of packed inputs (bundle.h: BundleBuffer::packed) that a GPU executor relies on.
#pragma once

#include "codegen/bundle/bundle.h"

namespace mpf {

/// Entries in a word of a packed input.
inline constexpr uint64_t kBundleWordElems = 32;

/// Throws Error(BadInput) with the first broken rule; the rest of the bundle is sound already.
///  - only inputs are packed, and a slice of one starts with a word;
///  - there is a zero to be stored: that of minima and of whole numbers that are added is infinite;
///  - operations read them that a GPU runs one by one: no chain, no output, no traceback does.
void verifyPacked(const Bundle &bundle);

} // namespace mpf
