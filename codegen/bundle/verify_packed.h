// The rules of packed inputs (bundle.h: BundleBuffer::packed) that a GPU executor relies on.
#pragma once

#include "codegen/bundle/bundle.h"

namespace mpf {

/// Throws Error(BadInput) with the first broken rule; the rest of the bundle is sound already.
///  - only inputs are packed, and a slice of one starts with a word;
///  - there is a zero to be stored: that of minima and of whole numbers that are added is infinite;
///  - operations read them that a GPU runs one by one: nothing accumulates them, no chain, no
///  output
///    and no traceback reads them.
void verifyPacked(const Bundle &bundle);

} // namespace mpf
