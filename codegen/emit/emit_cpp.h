// Emits C++ text of a kernel plan: the same loop nest as the CUDA text, with loops in place of
// threads and scalar accesses. It serves people, tests against the oracle, and machines without a
// GPU.
//
//   extern "C" void NAME(const T *f, ..., T *result)
//
// A packed operand is `const unsigned *fBits`. Linear plans take and return plain entries (no
// scaling); log plans take and return base-2 logarithms. The text includes no header. It keeps the
// accumulators and the segments of one block on the stack.
#pragma once

#include "codegen/kernel/kernel_plan.h"

#include <span>
#include <string>
#include <string_view>

namespace mpf {

/// Whether the plan's family has C++ text; false for families that run on GPUs only.
bool hasCppText(const KernelPlan &plan);

/// Returns the kernel without the preamble. Preconditions: findFault
/// (codegen/kernel/verify_kernel.h) accepts the plan, and hasCppText.
std::string emitCpp(const KernelPlan &plan);

/// preamble/mpf_host.h
extern const std::string_view kCppPreamble;

/// The preamble of these plans: kCppPreamble and, if a plan reads packed tables, kPackedPreamble.
std::string cppPreamble(std::span<const KernelPlan> plans);

/// A self-contained source: preamble and kernel.
std::string cppSource(const KernelPlan &plan);

} // namespace mpf
