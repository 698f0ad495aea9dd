// Emits the CUDA and C++ text of matrix plans (family mma). emit_cuda.h and emit_cpp.h call these
// functions and describe the kernels' signatures.
#pragma once

#include "codegen/emit/nest/emitted_kernel.h"
#include "codegen/emit/nest/preambles.h"
#include "codegen/kernel/plan/matrix_plan.h"

#include <string>

namespace mpf {

EmittedKernel emitMatrixCuda(const MatrixPlan &plan);
std::string emitMatrixCpp(const MatrixPlan &plan);
PreambleParts matrixPreamble(const MatrixPlan &plan);
SiteObjects matrixObjects(const MatrixPlan &plan);

} // namespace mpf
