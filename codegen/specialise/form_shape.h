// Finds forms of equal shape. Kernels and predictions depend on a form's shape, not on its names,
// and a program of thousands of operations has a few shapes.
#pragma once

#include "codegen/kernel/build_kernel.h"
#include "codegen/kernel/form/chain_form.h"
#include "codegen/kernel/form/digit_form.h"

#include <string>

namespace mpf {

/// Returns everything in a form that its kernels and their modelled times depend on: semiring,
/// digits, strides, and which operands are one table. The identity of that table and the variables
/// do not matter.
std::string shapeOf(const DigitForm &form);
std::string shapeOf(const ChainForm &form);

/// Returns the form with digits that name no variables. Kernels do not depend on them, and each of
/// the thousands of candidates for one kernel would copy them.
DigitForm withoutVariables(DigitForm form);

} // namespace mpf
