// The kernels of a bundle: the table-driven ones, and the specialised ones of operations and chains
// that deserve them (kernel_choice.h, chain_kernels.h).
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/plan/program/table_program.h"
#include "codegen/specialise/planned_kernels.h"
#include "codegen/specialise/specialise_options.h"

namespace mpf {

/// Makes a bundle ready for any GPU: all its operations run on the table-driven kernels.
void addTableDrivenKernels(Bundle &bundle);

/// Makes a bundle ready for a GPU: the table-driven kernels, and specialised kernels for the
/// operations and chains that deserve them; those of equal shape share one. `program` is the one
/// the bundle was built from. Sources are self-contained CUDA text for the target.
/// Kernels that `planned` has (null: nothing) are not planned again.
void addGpuKernels(Bundle &bundle, const TableProgram &program, const SpecialiseOptions &options,
                   PlannedKernels *planned = nullptr);

} // namespace mpf
