// The plan of a kernel inside its CUDA text, as comments. An edited text can therefore be checked
// (mpfc check-kernel) without the model that it was made for.
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

/// The lines of a plan. Without what belongs to one program or device and not to the kernel: ids of
/// variables and tables, predicted times. So equal kernels have equal texts in all programs.
std::string planInText(const KernelPlan &plan);

/// The plans that a text holds, of which there is at least one; nothing when something was
/// reported. Places are those in the text. Errors as readKernels'.
std::optional<std::vector<ReadKernel>> plansInText(const SourceBuffer &cudaText,
                                                   Diagnostics &diagnostics);

} // namespace mpf
