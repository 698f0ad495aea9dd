// A piece of work -> a kernel plan, by enumerating candidates of every family and keeping the one
// with the least modelled time (cost_model.h). Same input, same plan, on every machine.
#pragma once

#include "codegen/kernel/kernel_plan.h"

#include <vector>

namespace mpf {

/// Whether an operation has kernels of its own in this type: minima of whole numbers have none, nor
/// packed tables without a zero.
bool servesType(const DigitForm &form, ElementType type);

/// Throws Error(Usage) when the overrides leave no candidate, naming them, and Error(Unsupported)
/// for what servesType refuses.
KernelPlan buildKernel(const TableProgram &program, OpId operation, const KernelOptions &options);
KernelPlan buildKernel(const DigitForm &form, const KernelOptions &options);

/// Up to `most` kernels that differ, of all families: buildKernel's, its variant of higher
/// occupancy (or the one without it, where that is its choice: higher_occupancy_variant.h), then
/// others in the order of diversify_candidates.h. For a choice by measuring.
std::vector<KernelPlan> buildKernels(const DigitForm &form, const KernelOptions &options,
                                     size_t most);

/// The same of chains; empty where no page of the run fits the target, and for whole numbers.
std::vector<KernelPlan> buildKernels(const ChainForm &form, const KernelOptions &options,
                                     size_t most);

} // namespace mpf
