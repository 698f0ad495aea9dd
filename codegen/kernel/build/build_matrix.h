// Builds the plans of family `mma`: one operation as a matrix product (matrix_plan.h).
#pragma once

#include "codegen/kernel/build/kernel_options.h"
#include "codegen/kernel/build/plan_offers.h"
#include "codegen/kernel/plan/matrix_plan.h"

#include <vector>

namespace mpf {

/// Whether family `mma` can compute the operation on options.target. The operation must be a
/// sum-product of two or more unpacked operands, on a GPU. In f64 it may have plain values or
/// logarithms. In f32 it must have plain values and at most kMostSingleTerms terms
/// (matrix_shape.h), and the target must have TF32 instructions.
bool matrixApplies(const DigitForm &form, const KernelOptions &options);

/// All plans that fit the target, with modelled times and without names. They differ in the
/// grouping of the operands, tile, chunk and stages, and in whether blocks are persistent, a side
/// is stationary and fragments are double-buffered. `options` may restrict stages, threads per
/// block, terms per page and outputs per thread. Products with fewer than 8 rows or columns are
/// left out unless options.family asks for `mma`: most of each instruction would be wasted on them.
/// Empty where matrixApplies is false.
std::vector<MatrixPlan> matrixPlans(const DigitForm &form, const KernelOptions &options);

/// matrixPlans as build_kernel.h wants them: every plan is a contender; the wish is ignored.
PlanOffers<MatrixPlan> matrixOffers(const DigitForm &form, const KernelOptions &options,
                                    const PlanWish &wish);

/// Sets plan.name (name_kernel.h).
void nameKernel(MatrixPlan &plan);

} // namespace mpf
