// The engine that answers cases side by side in lanes, on the CPU or on a GPU
// (runtime/execute/lanes, runtime/execute/gpu/lanes/gpu_lanes.h).
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "runtime/cases/planned_engine.h"

#include <memory>

namespace mpf {

/// Throws Error(BadInput) for a factor whose values a host program should bind.
void requireLaneValues(const LaneProgram &program);

/// How long planning lanes for the runs (cases) that `settings` expect may take: by the GPU, or by
/// the machine's CPU; where the plan may run elsewhere, by one thread. Empty: they expect none, and
/// all is tried.
ListPrediction listPredictionFor(const CompileSettings &settings, const std::optional<Target> &gpu);

/// On the GPU of `problem`, or on the CPU. Throws as planning does; Error(Unsupported) and
/// Error(MemoryBound) for queries that lanes do not answer (codegen/lanes/build_lane_program.h).
PlannedEngine planLaneEngine(const CaseProblem &problem);

/// Of a program that is planned already: nothing is planned. `gpu`: none, the CPU. Throws
/// Error(BadInput) as requireLaneValues, unless settings.mayBind.
PlannedEngine planGivenLanes(std::shared_ptr<const LaneProgram> program,
                             const CaseSettings &settings, const CaseLoad &load,
                             const std::optional<Target> &gpu);

} // namespace mpf
