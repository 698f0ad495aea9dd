// How a plan's values are summed where they are logarithms: asked of plans of any family.
#pragma once

#include "codegen/kernel/plan/kernel_header.h"

#include <string_view>

namespace mpf {

/// Whether logarithms are summed: a result of one term each takes no exponential.
bool usesExp2(const DigitForm &form, ValueForm valueForm);

/// Whether the plan of this operation sums logarithms with their exponents split off.
bool usesScaledMantissas(const DigitForm &form, const KernelHeader &header);

std::string_view logSumName(LogSum logSum); ///< "running", "split-loads", "split-terms"

} // namespace mpf
