#include "codegen/kernel/build/higher_occupancy_variant.h"

#include "codegen/kernel/build/assemble_plan.h"
#include "codegen/kernel/cost/cost_model.h"
#include "codegen/kernel/cost/occupancy.h"
#include "codegen/kernel/plan/kernel_shape.h"

#include <algorithm>

namespace mpf {

namespace {
constexpr uint32_t kMostHeldBack = 48;    ///< registers below the estimate: kernels still win there
constexpr uint32_t kFewestRegisters = 40; ///< below that nothing is left to hold back
} // namespace

std::optional<KernelPlan> higherOccupancyVariant(const KernelPlan &plan, const Target &target) {
  LaunchShape lean = plan.launch;
  lean.estimatedRegisters = kFewestRegisters;
  const uint64_t most =
      std::min<uint64_t>(activeBlocks(lean, 0, target), plan.launch.gridBlocks / target.smCount);
  KernelPlan variant = plan;
  const uint32_t before = reservedRegisters(plan, target);
  while (variant.launch.minBlocksPerSm < most) {
    ++variant.launch.minBlocksPerSm;
    const uint32_t left = reservedRegisters(variant, target);
    if (left == before)
      continue;
    if (left + kMostHeldBack < plan.launch.estimatedRegisters)
      return std::nullopt;
    modelCost(variant, target, Paddings::Chosen);
    nameKernel(variant);
    return variant;
  }
  return std::nullopt;
}

bool mostlyGainsByOccupancy(const KernelPlan &plan) {
  return plan.family == Family::Tile && plan.type == ElementType::F64 &&
         usesScaledMantissas(plan) && !plan.form.readsPacked();
}

} // namespace mpf
