// The rules of packed inputs (bundle.h: BundleBuffer::packed) that a GPU executor relies on.
#pragma once

#include "codegen/bundle/bundle.h"

namespace mpf {

/// Throws Error(BadInput) with the first broken rule; the rest of the bundle is sound already.
///  - only inputs are packed, and a slice of one starts with a word;
///  - a zero can be stored: the zero of minima, and of whole numbers that are added, is infinite;
///  - only operations that a GPU runs one by one read them: no chain, output or traceback does, and
///    nothing accumulates them.
void verifyPacked(const Bundle &bundle);

} // namespace mpf
