// The kernels of the chains of a program, in the bundle.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/kernel/build/kernel_options.h"
#include "codegen/kernel/kernel_plan.h"
#include "codegen/plan/program/table_program.h"
#include "codegen/specialise/specialise_options.h"

#include <optional>
#include <vector>

namespace mpf {

/// How a chain of the program runs as one kernel: none for whole numbers, where no page fits the
/// target, where its tables cannot be counted, where one of its operations suits no kernel
/// (`suits`, by operation of the program: KernelChoice::suitsKernels), or where it saves less than
/// compiling it, or planning it, takes. `operationsUs`: of its operations one by one.
std::optional<KernelPlan> chooseChain(const TableProgram &program, const ProgramChain &chain,
                                      const std::vector<bool> &suits, const KernelOptions &options,
                                      double operationsUs, const KernelRuns &runs);

/// Whether the operations of a chain get specialised kernels beside its own. They run one by one
/// where linear arithmetic is not exact for all of them together. With the range of f64 hardly one
/// of them is exact then by itself, and log arithmetic is for the table-driven kernels; with that
/// of f32 most are.
constexpr bool keepsSpecialisedKernels(ElementType type) { return type == ElementType::F32; }

/// Adds the kernels of the program's chains to the bundle that was built from it; chains of equal
/// shape share one. `suits`: as above. `timesUs`: of the program's operations one by one.
void addChainKernels(Bundle &bundle, const TableProgram &program, const SpecialiseOptions &options,
                     const std::vector<bool> &suits, const std::vector<double> &timesUs);

} // namespace mpf
