// CUDA text of a kernel plan. Prints what the plan says; deterministic: equal plans give equal
// bytes in every process.
//
// Signature of every kernel (T = float, double, unsigned long long or unsigned __int128; m
// operands):
//   void NAME(const T *f, ..., T *result, MpfTableState *states,
//             int s0, ..., int s<m-1>, int sResult, int mode)
// A packed operand is `const unsigned *fBits`, its words (DigitAccess::packed).
// `states` holds one MpfTableState per table of the program, s* are indices into it. The range of
// states[sResult] must be empty (min = INT32_MAX, max = INT32_MIN) when the kernel starts; it
// records exponents, scale and form there. mode & 1: a linear kernel returns at once unless
// linearIsExact holds for its operands, a log kernel returns at once if it does; else it always
// runs. Whole numbers: mode & 1 returns unless no product or sum can overflow (mpfIntegersFit),
// which the kernel itself does not check. mode & 2, mode & 4: the kernel waits for launches before
// it not at once but before it stores, or when it ends (codegen/bundle/kernel_interface.h). Plus
// semirings of floating point work on plain values and ignore states and mode & 1. Launch as
// plan.launch says; shared memory is dynamic.
#pragma once

#include "codegen/emit/nest/emitted_kernel.h"
#include "codegen/kernel/kernel_plan.h"

#include <span>
#include <string>

namespace mpf {

/// In front of the kernel stands its plan, as comments (plan_in_text.h). The plan must be one that
/// findFault (codegen/kernel/verify_kernel.h) accepts. Throws
/// Error(Internal) otherwise.
EmittedKernel emitCuda(const KernelPlan &plan);

/// What must stand in front of the kernels of these plans (nest/preambles.h).
std::string cudaPreamble(std::span<const KernelPlan> plans);

/// A self-contained source: preamble and kernel.
std::string cudaSource(const KernelPlan &plan);

} // namespace mpf
