// Finds the candidates for a choice by measuring (--autotune): for kernels of a bundle whose runs
// can repay it, the next best kernels by the cost model.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/kernel/build/kernel_options.h"
#include "codegen/plan/program/table_program.h"
#include "codegen/specialise/specialise_options.h"

#include <vector>

namespace mpf {

/// Returns how many of `most` candidates a kernel can repay. All its runs gain at most its distance
/// to the floor each, and each candidate costs a compilation.
size_t candidatesThatPay(double predictedUs, double floorUs, double runs, size_t most);

/// Returns alternatives to the kernels of `bundle`, which was built from `program` with these
/// options. They are ascending by kernel; kernels without any are left out. Deterministic.
std::vector<TuningCandidates> findTuningCandidates(const Bundle &bundle,
                                                   const TableProgram &program,
                                                   const KernelOptions &kernelOptions,
                                                   const SpecialiseOptions &options);

} // namespace mpf
