// Builds the kernel plan of one operation or chain: enumerates candidates of every family and keeps
// the one with the least modelled time (cost_model.h). The same input gives the same plan on every
// machine.
#pragma once

#include "codegen/kernel/kernel_plan.h"

#include <vector>

namespace mpf {

/// Whether kernels can be built for an operation in this element type. They cannot for minima of
/// whole numbers, nor for packed tables where the stored form of the semiring has no zero.
bool servesType(const DigitForm &form, ElementType type);

/// Returns the plan of the operation, with its name. Throws Error(Usage), naming the overrides,
/// when they leave no candidate, and Error(Unsupported) where servesType is false.
KernelPlan buildKernel(const TableProgram &program, OpId operation, const KernelOptions &options);
KernelPlan buildKernel(const DigitForm &form, const KernelOptions &options);

/// Returns up to `most` different kernels of all families, for autotune to measure. The first is
/// buildKernel's. The second is its variant of higher occupancy, or, where that variant is the
/// first already, the kernel without it (higher_occupancy_variant.h). The others follow in the
/// order of diversify_candidates.h. Throws as buildKernel.
std::vector<KernelPlan> buildKernels(const DigitForm &form, const KernelOptions &options,
                                     size_t most);

/// The same for a chain. Empty where no page of the chain fits the target, for whole numbers, and
/// where options.family names another family.
std::vector<KernelPlan> buildKernels(const ChainForm &form, const KernelOptions &options,
                                     size_t most);

} // namespace mpf
