// The engine that answers cases side by side in lanes, on the CPU or, where --device says so, on
// the GPU (runtime/execute/lanes, runtime/execute/gpu/gpu_lanes.h).
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"
#include "tools/mpfc/cases/case_engine.h"
#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// An EngineMaker (cases/run_cases.h). Throws as planning does; Error(Unsupported) and
/// Error(MemoryBound) for queries that lanes do not answer (codegen/lanes/build_lane_program.h).
CaseEngine makeLaneEngine(const Model &model, const CaseSource &cases, const Query &query,
                          const Options &options);

} // namespace mpf::driver
