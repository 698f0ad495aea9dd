// Reads the text form of a kernel plan (print_kernel.h).
#pragma once

#include "codegen/kernel/kernel_plan.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>

namespace mpf {

/// The first plan of the text, or nothing when something was reported. Names and numbers are
/// resolved and in range; that the plan is sound is findFault's business (verify_kernel.h).
std::optional<KernelPlan> readKernel(std::shared_ptr<const SourceBuffer> source,
                                     Diagnostics &diagnostics);

} // namespace mpf
