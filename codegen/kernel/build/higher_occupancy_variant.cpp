#include "codegen/kernel/build/higher_occupancy_variant.h"

#include "codegen/kernel/build/build_matrix.h"
#include "codegen/kernel/build/build_nest.h"
#include "codegen/kernel/cost/cost_matrix.h"
#include "codegen/kernel/cost/cost_model.h"
#include "codegen/kernel/cost/occupancy.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/log_form.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {
constexpr uint32_t kMostHeldBack = 48; ///< registers below the estimate at which kernels still gain
constexpr uint32_t kFewestRegisters = 40; ///< with fewer there are no loads left to issue later

/// Returns the variant without its name and its time.
template <class Plan> std::optional<Plan> withMoreBlocks(const Plan &plan, const Target &target) {
  LaunchShape lean = plan.launch;
  lean.estimatedRegisters = kFewestRegisters;
  const uint64_t most =
      std::min<uint64_t>(activeBlocks(lean, 0, target), plan.launch.gridBlocks / target.smCount);
  Plan variant = plan;
  const uint32_t before = reservedRegisters(plan.launch, target);
  while (variant.launch.minBlocksPerSm < most) {
    ++variant.launch.minBlocksPerSm;
    const uint32_t left = reservedRegisters(variant.launch, target);
    MPF_CHECK(left <= before, "{} blocks leave a thread {} registers, fewer leave it {}",
              variant.launch.minBlocksPerSm, left, before);
    if (left == before)
      continue;
    if (left + kMostHeldBack < plan.launch.estimatedRegisters)
      return std::nullopt;
    return variant;
  }
  return std::nullopt;
}

bool convertsLogarithms(const NestPlan &plan) {
  return plan.kind == NestKind::Tile && plan.type == ElementType::F64 &&
         usesScaledMantissas(plan.form, plan) && !plan.form.readsPacked();
}
} // namespace

std::optional<OccupancyVariant<NestPlan>> higherOccupancyVariant(const NestPlan &plan,
                                                                 const Target &target) {
  std::optional<NestPlan> variant = withMoreBlocks(plan, target);
  if (!variant)
    return std::nullopt;
  modelCost(*variant, target, Paddings::Chosen);
  nameKernel(*variant);
  const bool mostlyGains = convertsLogarithms(*variant);
  return OccupancyVariant<NestPlan>{std::move(*variant), mostlyGains};
}

std::optional<OccupancyVariant<MatrixPlan>> higherOccupancyVariant(const MatrixPlan &plan,
                                                                   const Target &target) {
  std::optional<MatrixPlan> variant = withMoreBlocks(plan, target);
  if (!variant)
    return std::nullopt;
  modelCost(*variant, target);
  nameKernel(*variant);
  return OccupancyVariant<MatrixPlan>{std::move(*variant), false};
}

} // namespace mpf
