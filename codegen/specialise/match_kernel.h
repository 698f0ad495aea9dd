// Checks whether a kernel plan is one of the operation, or of the chain, that a bundle launches it
// for. Then its accesses are those that verifyBundle checks against the buffers, and it reads and
// writes nothing outside of them.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/kernel/kernel_plan.h"

#include <string>

namespace mpf {

/// Returns the first difference, in one sentence; empty: none. `plan` is sound (findFault),
/// `bundle` is verified. These must be the operation's: value form, element type, semiring, digits,
/// and which entries of which table are read and written.
std::string findMismatch(const KernelPlan &plan, const Bundle &bundle,
                         const BundleOperation &operation);

/// Compares a plan with a chain: with its operations in order, each a step of the plan. The plan
/// alone decides how tables in between are stored: they stay on the chip.
std::string findMismatch(const KernelPlan &plan, const Bundle &bundle, const BundleChain &chain);

/// Whether the plan is for a chain, not for one operation.
bool isOfChain(const KernelPlan &plan);

} // namespace mpf
