// The engine that answers cases side by side in lanes, on the CPU or on a GPU
// (runtime/execute/lanes, runtime/execute/gpu/lanes/gpu_lanes.h).
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "runtime/engine/planned_engine.h"

#include <memory>
#include <string_view>

namespace mpf {

/// Returns why lanes answer no query under these settings, one sentence; empty: they may.
std::string_view laneRefusal(const CaseSettings &settings);

/// Throws Error(BadInput) for a factor whose values a host program should bind.
void requireLaneValues(const LaneProgram &program);

/// Returns the settings with which lanes are planned. The time for planning follows from the
/// predicted time of the cases, on the GPU of `problem` or on the machine's CPU. A bundle runs
/// elsewhere, so its plan counts with one thread. If the number of cases is unknown, all candidates
/// are tried.
CompileSettings laneSettingsFor(const CaseProblem &problem);

/// Returns the plan of which planLaneEngine opens an engine. Throws as planning does.
LanePlan planLanesFor(const CaseProblem &problem);

/// Plans lanes on the GPU of `problem`, or on the CPU. They may fail on a GPU if the device was
/// left open. Throws as planning does; Error(Unsupported) and Error(MemoryBound) for queries that
/// lanes do not answer (codegen/lanes/build_lane_program.h); as requireLaneValues, unless
/// settings.mayBind.
PlannedEngine planLaneEngine(const CaseProblem &problem);

} // namespace mpf
