// CUDA and C++ text of plans of family mma; emit_cuda.h and emit_cpp.h hand such plans on.
#pragma once

#include "codegen/emit/nest/emitted_kernel.h"
#include "codegen/emit/nest/preambles.h"
#include "codegen/kernel/plan/matrix_plan.h"

#include <string>

namespace mpf {

EmittedKernel emitMatrixCuda(const MatrixPlan &plan);
std::string emitMatrixCpp(const MatrixPlan &plan);
PreambleParts matrixPreamble(const MatrixPlan &plan);

} // namespace mpf
