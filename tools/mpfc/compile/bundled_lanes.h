// The engine that answers cases by a lane program from a bundle: nothing is planned.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "dsl/support/cases/case_source.h"
#include "runtime/cases/case_engine.h"
#include "runtime/cases/lane_model.h"
#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// `cases` are read with modelOfLanes; they may set some columns of the program, in any order.
/// Throws Error(BadInput) for a column that the program does not have, and for factors that a host
/// program should bind; Error(MemoryBound) and Error(Device) as openGivenLanes.
CaseEngine makeBundledLanes(LaneProgram program, const CaseSource &cases, const Options &options);

} // namespace mpf::driver
