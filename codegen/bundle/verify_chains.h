// The rules of chains (bundle.h: BundleChain) that executors rely on.
#pragma once

#include "codegen/bundle/bundle.h"

namespace mpf {

/// Throws Error(BadInput) with the first broken rule; the operations themselves are sound already.
///  - the element type is f64 or f32;
///  - chains are ascending, of two operations or more, and share none;
///  - their kernel exists and is not the table-driven one;
///  - the rules of dsl/support/chain_link.h: operations of one loop and one semiring, none
///    accumulates; each but the first is the only reader of the result of the one before, once;
///  - the result shares no memory with tables that the kernel reads while it writes.
void verifyChains(const Bundle &bundle);

} // namespace mpf
