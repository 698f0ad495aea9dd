#include "codegen/emit/lane_kernel_choice.h"

#include <algorithm>

namespace mpf {

namespace {

/// NVRTC's time on one core for a term of a kernel of threads and for a statement of a kernel of
/// teams; measured with 860 to 12000 of them.
constexpr double kTermSeconds = 2e-4, kStatementSeconds = 5e-4;

} // namespace

LaneLimitsOfDevice laneLimitsOf(const Target &target) {
  return {laneKernelLimits(target), teamKernelLimits(target)};
}

double laneCompilingSeconds(uint64_t terms) { return kTermSeconds * static_cast<double>(terms); }

LaneLimitsOfDevice laneLimitsFor(const Target &target, std::optional<double> seconds) {
  constexpr double kShare = 0.5, kMostSeconds = 20;
  LaneLimitsOfDevice limits = laneLimitsOf(target);
  if (!seconds)
    return limits;
  const double compiling = std::min(kShare * *seconds, kMostSeconds);
  limits.threads.terms =
      std::min(limits.threads.terms, static_cast<uint64_t>(compiling / kTermSeconds));
  limits.teams.statements = static_cast<uint64_t>(compiling / kStatementSeconds);
  return limits;
}

Target leastTarget() {
  Target least; // sm_75
  least.sharedBytesPerSm = least.sharedBytesPerBlock = 64 << 10;
  return least;
}

std::optional<LaneKernel> emitLaneKernel(const LaneProgram &program, const CommonTables &common,
                                         const LinearPlan &plan, ElementType type,
                                         const LaneLimitsOfDevice &limits) {
  if (std::optional<LaneKernel> threads = emitLanes(program, common, plan, type, limits.threads))
    return threads;
  return emitTeams(program, plan, type, limits.teams);
}

} // namespace mpf
