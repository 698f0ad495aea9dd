// Chooses the kernels of a program's chains, and adds them to the bundle.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/kernel/build/kernel_options.h"
#include "codegen/kernel/kernel_plan.h"
#include "codegen/plan/program/table_program.h"
#include "codegen/specialise/specialise_options.h"

#include <optional>
#include <vector>

namespace mpf {

/// Plans a chain of the program as one kernel. Returns nothing for whole numbers, if no page fits
/// the target, or if its tables cannot be counted. Also returns nothing if one of its operations
/// suits no kernel (`suits`, by operation of the program: KernelChoice::suitsKernels), or if the
/// chain saves less than compiling or planning it takes. `operationsUs`: time of its operations one
/// by one.
std::optional<KernelPlan> chooseChain(const TableProgram &program, const ProgramChain &chain,
                                      const std::vector<bool> &suits, const KernelOptions &options,
                                      double operationsUs, const KernelRuns &runs);

/// Whether the operations of a chain get specialised kernels beside that of the chain. They run one
/// by one where linear arithmetic is not exact for all of them together. With the range of f64
/// hardly any of them is exact alone then, and log arithmetic is done by the table-driven kernels.
/// Most of them are exact with the range of f32.
constexpr bool keepsSpecialisedKernels(ElementType type) { return type == ElementType::F32; }

/// Adds the kernels of the program's chains to the bundle that was built from it; chains of equal
/// shape share one. `suits`: as above. `timesUs`: times of the program's operations one by one.
void addChainKernels(Bundle &bundle, const TableProgram &program, const SpecialiseOptions &options,
                     const std::vector<bool> &suits, const std::vector<double> &timesUs);

} // namespace mpf
