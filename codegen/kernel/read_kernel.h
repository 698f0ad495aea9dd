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
  SourcePlace place; ///< the place of its first line
};

/// Reads all plans of a text, which must have at least one. Errors are reported to `diagnostics`;
/// then the result is none. In the plans returned, names are known and numbers in range. Whether a
/// plan is sound is for findFault to check (verify_kernel.h).
std::optional<std::vector<ReadKernel>> readKernels(std::shared_ptr<const SourceBuffer> source,
                                                   Diagnostics &diagnostics);

} // namespace mpf
