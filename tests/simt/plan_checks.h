// What every emitted kernel must pass in the checker.
#pragma once

#include "codegen/kernel/kernel_plan.h"

#include <vector>

namespace mpf::simt {

/// Runs each plan on seeded random tables of mixed forms and scales and expects, through gtest:
/// entries equal to the operation's definition, exponents recorded as stored, no fault, and no bank
/// conflict at sites that promise it. Names of the plans must differ.
void checkPlans(const std::vector<KernelPlan> &plans);

} // namespace mpf::simt
