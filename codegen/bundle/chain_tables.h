// What the kernel of a chain reads: the order of its arguments, in one place for those who check,
// prove and launch it.
#pragma once

#include "codegen/bundle/bundle.h"

#include <vector>

namespace mpf {

/// The flowing message, then every other operand of the chain's operations in their order, without
/// the results that flow on. Pointers into `bundle`, whose chain is sound (verify_chains.h).
std::vector<const BundleAccess *> chainOperands(const Bundle &bundle, const BundleChain &chain);

/// The access that the kernel writes.
const BundleAccess &chainResult(const Bundle &bundle, const BundleChain &chain);

} // namespace mpf
