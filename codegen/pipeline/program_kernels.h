// Makes the plans of kernels of a table program: the stage of --emit=kernel, cuda, cpp and ptx.
// (The kernels of a bundle, and whether they pay, are decided in specialise.h.)
#pragma once

#include "codegen/kernel/build_kernel.h"
#include "codegen/plan/program/table_program.h"

#include <span>
#include <vector>

namespace mpf {

/// Plans a specialised kernel for each of `operations`, in their order, one for operations of equal
/// shape. Throws as buildKernel.
std::vector<KernelPlan> planOperationKernels(const TableProgram &program,
                                             std::span<const OpId> operations,
                                             const KernelOptions &options);

/// Plans kernels for every operation that runs; then, with `chains`, a kernel for every chain that
/// fits the target.
std::vector<KernelPlan> planProgramKernels(const TableProgram &program,
                                           const KernelOptions &options, bool chains);

} // namespace mpf
