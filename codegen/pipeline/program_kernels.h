// From a table program to the plans of kernels: the stage behind --emit=kernel, cuda, cpp and ptx.
// (What a bundle gets, and whether it pays, is decided in specialise.h.)
#pragma once

#include "codegen/kernel/build_kernel.h"
#include "codegen/plan/program/table_program.h"

#include <span>
#include <vector>

namespace mpf {

/// A specialised kernel for each of `operations`, in their order, those of equal shape once. Throws
/// as buildKernel.
std::vector<KernelPlan> planOperationKernels(const TableProgram &program,
                                             std::span<const OpId> operations,
                                             const KernelOptions &options);

/// The same for every operation that is run; then, with `chains`, a kernel for every chain that
/// fits the target.
std::vector<KernelPlan> planProgramKernels(const TableProgram &program,
                                           const KernelOptions &options, bool chains);

} // namespace mpf
