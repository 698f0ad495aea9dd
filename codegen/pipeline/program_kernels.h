// From a table program to the plans of kernels: the stage behind --emit=kernel, cuda, cpp and ptx.
// (What a bundle gets, and whether it pays, is decided in specialise.h.)
#pragma once

#include "codegen/kernel/build_kernel.h"
#include "codegen/plan/program/table_program.h"

#include <vector>

namespace mpf {

/// A specialised kernel for every operation that is run, in their order, those of equal shape once;
/// then, with `chains`, one for every chain that fits the target. Throws as buildKernel.
std::vector<KernelPlan> planProgramKernels(const TableProgram &program,
                                           const KernelOptions &options, bool chains);

} // namespace mpf
