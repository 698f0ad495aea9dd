// The tables of a chain's kernel, in the order of its arguments. The checks, the proofs of ranges
// and the launches of chains share this order.
#pragma once

#include "codegen/bundle/bundle.h"

#include <vector>

namespace mpf {

/// Returns the flowing message, then every other operand of the chain's operations in their order,
/// without the results that flow on. The pointers lead into `bundle`. Precondition: the chain is
/// sound (verify_chains.h).
std::vector<const BundleAccess *> chainOperands(const Bundle &bundle, const BundleChain &chain);

/// The access that the kernel writes.
const BundleAccess &chainResult(const Bundle &bundle, const BundleChain &chain);

} // namespace mpf
