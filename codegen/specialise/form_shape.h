// Which forms are alike: kernels and predictions depend on a form's shape, not on its names, and a
// program of thousands of operations has a few shapes.
#pragma once

#include "codegen/kernel/build_kernel.h"
#include "codegen/kernel/form/chain_form.h"
#include "codegen/kernel/form/digit_form.h"

#include <span>
#include <string>
#include <vector>

namespace mpf {

/// All of a form that its kernels and their modelled times depend on: semiring, digits, strides,
/// which operands are one table. Which table that is, and the variables, do not matter.
std::string shapeOf(const DigitForm &form);
std::string shapeOf(const ChainForm &form);

/// The form with digits that name no variables: kernels do not depend on them, and each of the
/// thousands of candidates that are looked at for one kernel would copy them.
DigitForm withoutVariables(DigitForm form);

/// A kernel for each of `forms`, in their order, as buildKernel makes it. Planning one takes
/// milliseconds: equal shapes are planned once, distinct ones on `threads` at once (0: one per
/// core), which changes no kernel. Throws what buildKernel throws.
std::vector<KernelPlan> planKernels(std::span<const DigitForm> forms, const KernelOptions &options,
                                    unsigned threads = 0);

} // namespace mpf
