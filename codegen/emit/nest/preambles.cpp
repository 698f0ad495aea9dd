#include "codegen/emit/nest/preambles.h"

#include <algorithm>
#include <fmt/format.h>

namespace mpf {

std::string_view packedPreamble(std::span<const KernelPlan> plans) {
  const bool packed = std::any_of(plans.begin(), plans.end(),
                                  [](const KernelPlan &plan) { return plan.form.readsPacked(); });
  return packed ? kPackedPreamble : std::string_view();
}

std::string cudaPreamble(std::span<const KernelPlan> plans) {
  const bool matrix = std::any_of(plans.begin(), plans.end(),
                                  [](const KernelPlan &plan) { return plan.matrix.has_value(); });
  const bool whole = std::any_of(plans.begin(), plans.end(),
                                 [](const KernelPlan &plan) { return isIntegerType(plan.type); });
  const bool copies = matrix || std::any_of(plans.begin(), plans.end(),
                                            [](const KernelPlan &plan) { return plan.stages > 1; });
  return fmt::format("{}{}{}{}{}", kCudaPreamble, copies ? kCopyPreamble : std::string_view(),
                     matrix ? kMatrixPreamble : std::string_view(),
                     whole ? kIntegerPreamble : std::string_view(), packedPreamble(plans));
}

} // namespace mpf
