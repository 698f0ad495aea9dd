// The engines that run a lane program (codegen/bundle/lanes/lane_program.h), with their memory and
// predicted speeds.
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/lanes/build_lane_program.h"
#include "codegen/machine/engine_rates.h"
#include "runtime/choose/engine_facts.h"

#include <optional>
#include <vector>

namespace mpf {

/// The device and the limits of lanes.
struct LaneSetting {
  size_t threads = 1;        ///< threads of the CPU
  uint64_t maxBytes = 0;     ///< the host's memory bound
  std::optional<Target> gpu; ///< none: the CPU
  /// Predicted time of table-driven kernels for all cases: compiling other kernels must pay over
  /// it.
  std::optional<double> tableDrivenSeconds; ///< none: unknown
  EngineRates rates;                        ///< those of the machine
  double expectedCases = 0;                 ///< cases over which compiling for the CPU must pay
};

/// Returns one engine for the CPU. Returns three for a GPU: threads, teams with an emitted kernel,
/// table-driven teams. A run takes the first that does not refuse. Every factor of `plan` must have
/// values. Computes the tables that all cases share. Throws Error(MemoryBound) like a run
/// (runner_memory.h, strip_memory.h).
std::vector<EngineFacts> laneEngines(const LanePlan &plan, const LaneSetting &setting);

} // namespace mpf
