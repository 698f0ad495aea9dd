// Emits the CUDA text of nest plans. emit_cuda.h calls these functions and describes the kernels'
// signatures.
#pragma once

#include "codegen/emit/nest/emitted_kernel.h"
#include "codegen/emit/nest/preambles.h"
#include "codegen/kernel/plan/nest_plan.h"

namespace mpf {

// All three: findFault (codegen/kernel/verify_kernel.h) must accept the plan, other plans may throw
// Error(Internal). Equal plans give equal results.

/// The CUDA kernel, without the preamble.
EmittedKernel emitNestCuda(const NestPlan &plan);
/// The preambles that the CUDA kernel needs.
PreambleParts nestPreamble(const NestPlan &plan);
/// The operands and shared arrays that the sites of the CUDA kernel name.
SiteObjects nestObjects(const NestPlan &plan);

} // namespace mpf
