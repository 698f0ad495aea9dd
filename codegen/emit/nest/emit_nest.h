// Emits the CUDA and C++ text of nest plans. emit_cuda.h and emit_cpp.h call these functions and
// describe the kernels' signatures.
#pragma once

#include "codegen/emit/nest/emitted_kernel.h"
#include "codegen/emit/nest/preambles.h"
#include "codegen/kernel/plan/nest_plan.h"

#include <string>

namespace mpf {

EmittedKernel emitNestCuda(const NestPlan &plan);
std::string emitNestCpp(const NestPlan &plan);
PreambleParts nestPreamble(const NestPlan &plan);
SiteObjects nestObjects(const NestPlan &plan);

} // namespace mpf
