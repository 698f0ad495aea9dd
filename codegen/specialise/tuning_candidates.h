// What a choice by measuring (--autotune) chooses from: for kernels of a bundle whose runs can
// repay it, the next best by the cost model.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/kernel/build/kernel_options.h"
#include "codegen/plan/program/table_program.h"
#include "codegen/specialise/specialise_options.h"

#include <vector>

namespace mpf {

/// How many of `most` candidates a kernel can repay: over all its runs it cannot gain more than
/// what separates it from its floor, and each candidate costs a compilation.
size_t candidatesThatPay(double predictedUs, double floorUs, double runs, size_t most);

/// Alternatives to the kernels of `bundle`, which was built from `program` with these options.
/// Ascending by kernel; kernels without any are left out. Deterministic.
std::vector<TuningCandidates> findTuningCandidates(const Bundle &bundle,
                                                   const TableProgram &program,
                                                   const KernelOptions &kernelOptions,
                                                   const SpecialiseOptions &options);

} // namespace mpf
