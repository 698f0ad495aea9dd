// Emits the CUDA and C++ text of matrix plans (family mma). emit_cuda.h and emit_cpp.h call these
// functions and describe the kernels' signatures.
#pragma once

#include "codegen/emit/nest/emitted_kernel.h"
#include "codegen/emit/nest/preambles.h"
#include "codegen/kernel/plan/matrix_plan.h"

#include <string>

namespace mpf {

// All four: findFault (codegen/kernel/verify_kernel.h) must accept the plan, other plans may throw
// Error(Internal). Equal plans give equal results.

/// The CUDA kernel, without the preamble.
EmittedKernel emitMatrixCuda(const MatrixPlan &plan);
/// The C++ function that does the same on one core, without the preamble.
std::string emitMatrixCpp(const MatrixPlan &plan);
/// What the CUDA kernel needs of the preambles.
PreambleParts matrixPreamble(const MatrixPlan &plan);
/// The operands and shared arrays that the sites of the CUDA kernel name.
SiteObjects matrixObjects(const MatrixPlan &plan);

} // namespace mpf
