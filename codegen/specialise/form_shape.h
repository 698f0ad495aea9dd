// Which forms are alike: kernels and predictions depend on a form's shape, not on its names, and a
// program of thousands of operations has a few shapes.
#pragma once

#include "codegen/kernel/build_kernel.h"
#include "codegen/kernel/form/chain_form.h"
#include "codegen/kernel/form/digit_form.h"

#include <string>

namespace mpf {

/// All of a form that its kernels and their modelled times depend on: semiring, digits, strides,
/// which operands are one table. Which table that is, and the variables, do not matter.
std::string shapeOf(const DigitForm &form);
std::string shapeOf(const ChainForm &form);

/// The form with digits that name no variables: kernels do not depend on them, and each of the
/// thousands of candidates that are looked at for one kernel would copy them.
DigitForm withoutVariables(DigitForm form);

} // namespace mpf
