// Family `mma`: plans of a bucket as a matrix product (matrix_plan.h).
#pragma once

#include "codegen/kernel/build/kernel_options.h"
#include "codegen/kernel/build/plan_offers.h"
#include "codegen/kernel/plan/matrix_plan.h"

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
std::vector<MatrixPlan> matrixPlans(const DigitForm &form, const KernelOptions &options);

/// All of them, for the choice among families (codegen/kernel/build_kernel.h).
PlanOffers<MatrixPlan> matrixOffers(const DigitForm &form, const KernelOptions &options,
                                    const PlanWish &wish);

/// name_kernel.h
void nameKernel(MatrixPlan &plan);

} // namespace mpf
