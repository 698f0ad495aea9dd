// CUDA and C++ text of plans of family mma; emit_cuda.h and emit_cpp.h hand such plans on.
#pragma once

#include "codegen/emit/nest/emitted_kernel.h"
#include "codegen/kernel/plan/kernel_plan.h"

#include <string>

namespace mpf {

EmittedKernel emitMatrixCuda(const KernelPlan &plan);
std::string emitMatrixCpp(const KernelPlan &plan);

} // namespace mpf
