// Whether a kernel plan is one of the operation, or of the chain, that a bundle launches it for:
// then its accesses are those that verifyBundle holds against the buffers, and nothing outside of
// them is read or written.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/kernel/kernel_plan.h"

#include <string>

namespace mpf {

/// What does not match, in one sentence; empty: all does. `plan` is sound (findFault), `bundle` is
/// verified. Value form, element type, semiring, digits, and which entries of which table are read
/// and written, are the operation's.
std::string findMismatch(const KernelPlan &plan, const Bundle &bundle,
                         const BundleOperation &operation);

/// The same of a chain: of its operations in order, each a step of the plan. How tables in between
/// are stored is the plan's business: they stay on the chip.
std::string findMismatch(const KernelPlan &plan, const Bundle &bundle, const BundleChain &chain);

/// Whether the plan is for a chain, not for one operation.
bool isOfChain(const KernelPlan &plan);

} // namespace mpf
