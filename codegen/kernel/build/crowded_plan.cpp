#include "codegen/kernel/build/crowded_plan.h"

#include "codegen/kernel/build/assemble_plan.h"
#include "codegen/kernel/cost/cost_model.h"
#include "codegen/kernel/cost/occupancy.h"
#include "codegen/kernel/plan/log_sum.h"

#include <algorithm>

namespace mpf {

namespace {
constexpr uint32_t kMostHeldBack = 48;    ///< registers below the estimate: kernels still win there
constexpr uint32_t kFewestRegisters = 40; ///< below that nothing is left to hold back
} // namespace

std::optional<KernelPlan> crowdedPlan(const KernelPlan &plan, const Target &target) {
  LaunchShape lean = plan.launch;
  lean.estimatedRegisters = kFewestRegisters;
  const uint64_t most =
      std::min<uint64_t>(activeBlocks(lean, 0, target), plan.launch.gridBlocks / target.smCount);
  KernelPlan crowded = plan;
  const uint32_t before = reservedRegisters(plan, target);
  while (crowded.launch.minBlocksPerSm < most) {
    ++crowded.launch.minBlocksPerSm;
    const uint32_t left = reservedRegisters(crowded, target);
    if (left == before)
      continue;
    if (left + kMostHeldBack < plan.launch.estimatedRegisters)
      return std::nullopt;
    modelCost(crowded, target, Paddings::Chosen);
    nameKernel(crowded);
    return crowded;
  }
  return std::nullopt;
}

bool mostlyGainsCrowded(const KernelPlan &plan) {
  return plan.family == Family::Tile && plan.type == ElementType::F64 && splitsExponents(plan) &&
         !plan.form.readsPacked();
}

} // namespace mpf
