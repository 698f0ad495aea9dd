// The engines that run a lane program (codegen/bundle/lanes/lane_program.h): what they would take,
// and how fast they are predicted to be.
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/lanes/build_lane_program.h"
#include "runtime/choose/engine_facts.h"

#include <optional>
#include <vector>

namespace mpf {

/// Where lanes run.
struct LaneSetting {
  size_t threads = 1;        ///< of the CPU
  uint64_t maxBytes = 0;     ///< the host's bound
  std::optional<Target> gpu; ///< none: the CPU
  /// What table-driven kernels are predicted to take for all cases: compiling others must pay.
  std::optional<double> tableDrivenSeconds; ///< none: unknown
  double expectedCases = 0;                 ///< over which compiling for the CPU must pay
};

/// On the CPU one; on a GPU threads, then teams, by a kernel of their own and table-driven: the
/// first that does not refuse is the one that a run takes. Every factor of `plan` has values.
/// Computes the tables that all cases share. Throws Error(MemoryBound) as a run (runner_memory.h,
/// strip_memory.h).
std::vector<EngineFacts> laneEngines(const LanePlan &plan, const LaneSetting &setting);

} // namespace mpf
