// C++ text of a kernel plan: the same loop nest as the CUDA text, threads as loops, scalar
// accesses. For people, for tests against the oracle, and for machines without a GPU.
//
//   extern "C" void NAME(const T *f, ..., T *result)
//
// A packed operand is `const unsigned *fBits`. Linear plans take and give plain entries (no
// scaling); log plans take and give base-2 logarithms. No includes are needed. Uses stack for the
// accumulators and the segments of one block.
#pragma once

#include "codegen/kernel/kernel_plan.h"

#include <span>
#include <string>
#include <string_view>

namespace mpf {

/// False: kernels of its family are for GPUs only.
bool hasCppText(const KernelPlan &plan);

/// Kernel only, without the preamble. The plan must be one that findFault
/// (codegen/kernel/verify_kernel.h) accepts, and have C++ text.
std::string emitCpp(const KernelPlan &plan);

/// preamble/mpf_host.h
extern const std::string_view kCppPreamble;

/// As far as the kernels of these plans need it, with preamble/mpf_packed.cuh.
std::string cppPreamble(std::span<const KernelPlan> plans);

/// A self-contained source: preamble and kernel.
std::string cppSource(const KernelPlan &plan);

} // namespace mpf
