// Emits the CUDA text of matrix plans (family mma). emit_cuda.h calls these functions and describes
// the kernels' signatures.
#pragma once

#include "codegen/emit/nest/emitted_kernel.h"
#include "codegen/emit/nest/preambles.h"
#include "codegen/kernel/plan/matrix_plan.h"

namespace mpf {

// All three: findFault (codegen/kernel/verify_kernel.h) must accept the plan, other plans may throw
// Error(Internal). Equal plans give equal results.

/// The CUDA kernel, without the preamble.
EmittedKernel emitMatrixCuda(const MatrixPlan &plan);
/// The preambles that the CUDA kernel needs.
PreambleParts matrixPreamble(const MatrixPlan &plan);
/// The operands and shared arrays that the sites of the CUDA kernel name.
SiteObjects matrixObjects(const MatrixPlan &plan);

} // namespace mpf
