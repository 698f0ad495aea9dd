// Emits the CUDA text of a kernel plan. The emitter makes no choices; equal plans give equal bytes
// in every process.
//
// The signature of a kernel with m operands (T = float, double, unsigned long long or
// unsigned __int128):
//   void NAME(const T *f, ..., T *result, MpfTableState *states,
//             int s0, ..., int s<m-1>, int sResult, int mode)
// A packed operand is `const unsigned *fBits`, its words (DigitAccess::packed).
//
// `states` holds one MpfTableState per table of the program; s0 .. sResult are indices into it.
// When the kernel starts, the range of states[sResult] must be empty (min = INT32_MAX, max =
// INT32_MIN). The kernel records exponents, scale and form of its result there.
//
// `mode` is a set of bits:
//   1  Run only if this is the right kernel: a linear kernel returns at once unless linearIsExact
//      holds for its operands, a log kernel returns at once if it holds. A kernel of whole numbers
//      returns unless no product or sum can overflow (mpfIntegersFit); the kernel itself checks no
//      overflow. Without this bit the kernel always runs.
//   2  Wait for earlier launches only before the first store (codegen/bundle/kernel_interface.h).
//   4  Wait for earlier launches only at the end.
// Floating-point semirings that combine by addition work on plain values and ignore `states` and
// bit 1. Grid and block are those of plan.launch; shared memory is dynamic.
#pragma once

#include "codegen/emit/nest/emitted_kernel.h"
#include "codegen/kernel/kernel_plan.h"

#include <span>
#include <string>

namespace mpf {

/// Returns the kernel without the preamble. The text begins with the plan as comments
/// (plan_in_text.h). Precondition: findFault (codegen/kernel/verify_kernel.h) accepts the plan.
/// Other plans may throw Error(Internal).
EmittedKernel emitCuda(const KernelPlan &plan);

/// The preambles that the kernels of these plans need in front of them (nest/preambles.h).
std::string cudaPreamble(std::span<const KernelPlan> plans);

/// A self-contained source: preamble and kernel.
std::string cudaSource(const KernelPlan &plan);

} // namespace mpf
