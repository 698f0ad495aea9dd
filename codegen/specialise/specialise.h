// Adds the kernels of a bundle: the table-driven ones, and the specialised ones of operations and
// chains that are worth them (kernel_choice.h, chain_kernels.h).
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/plan/program/table_program.h"
#include "codegen/specialise/planned_kernels.h"
#include "codegen/specialise/specialise_options.h"

namespace mpf {

/// Makes a bundle ready for any GPU: all its operations run on the table-driven kernels.
void addTableDrivenKernels(Bundle &bundle);

/// Makes a bundle ready for a GPU. Adds the table-driven kernels, and specialised kernels for the
/// operations and chains that are worth them; operations of equal shape share one. The bundle must
/// have been built from `program`. Sources are self-contained CUDA text for the target. Kernels in
/// `planned` (null: none) are not planned again.
void addGpuKernels(Bundle &bundle, const TableProgram &program, const SpecialiseOptions &options,
                   PlannedKernels *planned = nullptr);

} // namespace mpf
