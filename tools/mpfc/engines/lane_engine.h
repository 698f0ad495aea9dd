// The engine that answers cases side by side in lanes, on the CPU or, where --device says so, on
// the GPU (runtime/execute/lanes, runtime/execute/gpu/gpu_lanes.h).
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"
#include "tools/mpfc/cases/case_engine.h"
#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// Cases of a block that lanes are efficient for.
uint32_t bestLaneBlock(const Options &options);

/// The memory of lanes on the host, of which a machine has `hostBytes`. `options` have a bound,
/// which is the GPU's where it runs the cases.
uint64_t laneHostBytes(const Options &options, uint64_t hostBytes);

/// Throws Error(BadInput) for a factor whose values a host program should bind.
void requireLaneValues(const LaneProgram &program);

/// Of a program that is planned already; `options` have a memory bound. Throws Error(BadInput) as
/// requireLaneValues, Error(MemoryBound) and Error(Device) where it cannot run.
CaseEngine makeLaneEngine(LaneProgram program, const Options &options);

/// An EngineMaker (cases/run_cases.h). Throws as planning does; Error(Unsupported) and
/// Error(MemoryBound) for queries that lanes do not answer (codegen/lanes/build_lane_program.h).
CaseEngine makeLaneEngine(const Model &model, const CaseSource &cases, const Query &query,
                          const Options &options);

} // namespace mpf::driver
