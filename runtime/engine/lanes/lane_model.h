// The model of a lane program that was read from a bundle.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "dsl/model/model.h"

namespace mpf {

/// Returns the parts of a model that readers of cases and writers of answers need. These are the
/// program's variables with fixed states, its inputs as the first factors, the params that cases
/// set, the sweeps that make cases, and its query.
Model modelOfLanes(const LaneProgram &program);

} // namespace mpf
