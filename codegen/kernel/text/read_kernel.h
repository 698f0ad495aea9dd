// Reads the text form of kernel plans (print_kernel.h) and chain plans (print_chain.h), in any
// order.
#pragma once

#include "codegen/kernel/plan/chain_plan.h"
#include "codegen/kernel/plan/kernel_plan.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace mpf {

using AnyKernelPlan = std::variant<KernelPlan, ChainPlan>;

struct ReadKernel {
  AnyKernelPlan plan;
  SourcePlace place; ///< of its line 'kernel NAME' or 'chain NAME'
};

/// All plans of the text, of which there is at least one; nothing when something was reported.
/// Names and numbers are resolved and in range; that a plan is sound is findFault's business
/// (verify_kernel.h, verify_chain.h).
std::optional<std::vector<ReadKernel>> readKernels(std::shared_ptr<const SourceBuffer> source,
                                                   Diagnostics &diagnostics);

} // namespace mpf
