// The engine that answers cases side by side in lanes, on the CPU or, where --device says so, on
// the GPU (runtime/execute/lanes, runtime/execute/gpu/gpu_lanes.h).
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "tools/mpfc/engines/planned_engine.h"

namespace mpf::driver {

/// Throws Error(BadInput) for a factor whose values a host program should bind.
void requireLaneValues(const LaneProgram &program);

/// Of a program that is planned already; `options` have a memory bound. `tableDrivenSeconds`: as
/// laneRunnerOptions (runtime/api/jit_lanes.h). Throws Error(BadInput) as
/// requireLaneValues, Error(MemoryBound) and Error(Device) where it cannot run.
CaseEngine makeLaneEngine(LaneProgram program, const Options &options,
                          std::optional<double> tableDrivenSeconds = {});

/// Throws as planning does; Error(Unsupported) and
/// Error(MemoryBound) for queries that lanes do not answer (codegen/lanes/build_lane_program.h).
PlannedEngine planLaneEngine(const CaseProblem &problem);

} // namespace mpf::driver
