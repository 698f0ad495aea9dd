// The engine that answers cases side by side in lanes, on the CPU or on a GPU
// (runtime/execute/lanes, runtime/execute/gpu/lanes/gpu_lanes.h).
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "runtime/engine/planned_engine.h"

#include <memory>

namespace mpf {

/// Throws Error(BadInput) for a factor whose values a host program should bind.
void requireLaneValues(const LaneProgram &program);

/// The plan that planLaneEngine opens an engine of. How long planning may take follows from what
/// the cases of `problem` are predicted to take by its GPU, or by the machine's CPU; of a bundle,
/// which runs elsewhere, by one thread. Where it knows of no number of cases, all is tried. Throws
/// as planning does.
LanePlan planLanesFor(const CaseProblem &problem);

/// On the GPU of `problem`, or on the CPU. Throws as planning does; Error(Unsupported) and
/// Error(MemoryBound) for queries that lanes do not answer (codegen/lanes/build_lane_program.h).
PlannedEngine planLaneEngine(const CaseProblem &problem);

/// Of a program that is planned already: nothing is planned. `gpu`: none, the CPU. Throws
/// Error(BadInput) as requireLaneValues, unless settings.mayBind.
PlannedEngine planGivenLanes(std::shared_ptr<const LaneProgram> program,
                             const CaseSettings &settings, const CaseLoad &load,
                             const std::optional<Target> &gpu);

} // namespace mpf
