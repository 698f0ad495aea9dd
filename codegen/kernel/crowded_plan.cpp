#include "codegen/kernel/crowded_plan.h"

#include "codegen/kernel/assemble_plan.h"
#include "codegen/kernel/cost_model.h"
#include "codegen/kernel/occupancy.h"

#include <algorithm>

namespace mpf {

namespace {
constexpr uint32_t kMostHeldBack = 48;    ///< registers below the estimate: kernels still win there
constexpr uint32_t kFewestRegisters = 40; ///< below that nothing is left to hold back
constexpr uint64_t kSystemBytes = 1024;   ///< of shared memory, for each block
} // namespace

std::optional<KernelPlan> crowdedPlan(const KernelPlan &plan, const Target &target) {
  const uint64_t warps = (plan.launch.blockThreads + target.warpThreads - 1) / target.warpThreads;
  uint64_t most = std::min<uint64_t>(target.maxBlocksPerSm,
                                     target.maxThreadsPerSm / (warps * target.warpThreads));
  if (plan.launch.sharedBytes != 0)
    most = std::min(most, target.sharedBytesPerSm / (plan.launch.sharedBytes + kSystemBytes));
  most = std::min(most, plan.launch.gridBlocks / target.smCount);
  KernelPlan crowded = plan;
  const uint32_t before = reservedRegisters(plan, target);
  while (crowded.launch.minBlocksPerSm < most) {
    ++crowded.launch.minBlocksPerSm;
    const uint32_t left = reservedRegisters(crowded, target);
    if (left == before)
      continue;
    if (left < kFewestRegisters || left + kMostHeldBack < plan.launch.estimatedRegisters)
      return std::nullopt;
    modelCost(crowded, target, Paddings::Chosen);
    nameKernel(crowded);
    return crowded;
  }
  return std::nullopt;
}

} // namespace mpf
