// Family `mma`: plans of a bucket as a matrix product (matrix_plan.h).
#pragma once

#include "codegen/kernel/build/kernel_options.h"

#include <vector>

namespace mpf {

/// Sums of products of two or more operands on a GPU: of f64, plain or as logarithms, and of f32 up
/// to kMostSingleTerms terms.
bool matrixApplies(const DigitForm &form, const KernelOptions &options);

/// Complete plans but for the name: splits of the operands, tiles, chunks, stages, with and
/// without blocks that walk, a side that stays, fragments ahead. `options` may
/// ask for a number of threads, of terms per page and of outputs per thread.
/// Small matrices are left out unless the family is asked for: their units would stand mostly
/// empty.
std::vector<KernelPlan> matrixPlans(const DigitForm &form, const KernelOptions &options);

} // namespace mpf
