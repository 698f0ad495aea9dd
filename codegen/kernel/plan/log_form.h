// How a plan of any family sums values that are given as logarithms.
#pragma once

#include "codegen/kernel/plan/kernel_header.h"

#include <string_view>

namespace mpf {

/// Whether the operation sums logarithms, which takes exponentials. False when every result is a
/// sum of one term.
bool usesExp2(const DigitForm &form, ValueForm valueForm);

/// Whether the plan of this operation sums logarithms as scaled mantissas
/// (dsl/support/scaled_mantissa.h).
bool usesScaledMantissas(const DigitForm &form, const KernelHeader &header);

std::string_view logSumName(LogSum logSum); ///< "running", "mantissa-loads", "mantissa-terms"

} // namespace mpf
