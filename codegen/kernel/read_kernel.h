// Reads the text form of plans (print_kernel.h), of all families in any order.
#pragma once

#include "codegen/kernel/kernel_plan.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <vector>

namespace mpf {

struct ReadKernel {
  KernelPlan plan;
  SourcePlace place; ///< of its first line
};

/// All plans of the text, of which there is at least one; nothing when something was reported.
/// Names and numbers are resolved and in range; that a plan is sound is findFault's business
/// (verify_kernel.h).
std::optional<std::vector<ReadKernel>> readKernels(std::shared_ptr<const SourceBuffer> source,
                                                   Diagnostics &diagnostics);

} // namespace mpf
