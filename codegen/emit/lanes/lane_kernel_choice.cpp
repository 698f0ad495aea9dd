#include "codegen/emit/lanes/lane_kernel_choice.h"

namespace mpf {

LaneLimitsOfDevice laneLimitsOf(const Target &target) {
  return {laneKernelLimits(target), teamKernelLimits(target)};
}

LaneLimitsOfDevice leastLaneLimits() {
  Target least; // sm_75
  least.sharedBytesPerSm = least.sharedBytesPerBlock = 64 << 10;
  return laneLimitsOf(least);
}

std::optional<LaneKernel> emitLaneKernel(const LaneProgram &program, const CommonTables &common,
                                         const LinearPlan &plan, ElementType type,
                                         const LaneLimitsOfDevice &limits) {
  if (std::optional<LaneKernel> threads = emitLanes(program, common, plan, type, limits.threads))
    return threads;
  return emitTeams(program, plan, type, limits.teams);
}

} // namespace mpf
