// Writes the plan of a kernel into its CUDA text, as comments, and reads it back. So a text that
// was edited by hand can be checked (`mpfc check-kernel`) without the model that it was made
// for.
//
//   //: kernel tile_0123456789abcdef
//   //:   family tile
//   ...
//   //: end
#pragma once

#include "codegen/kernel/kernel_plan.h"
#include "codegen/kernel/read_kernel.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// Returns the lines of a plan without the data of one program or device (without_program.h), so
/// that equal kernels have equal texts in all programs.
std::string planInText(const KernelPlan &plan);

/// Reads the plans of a CUDA text, which must have at least one. Places are lines and columns of
/// `cudaText`. Returns none when an error was reported (as readKernels in read_kernel.h).
std::optional<std::vector<ReadKernel>> plansInText(const SourceBuffer &cudaText,
                                                   Diagnostics &diagnostics);

} // namespace mpf
