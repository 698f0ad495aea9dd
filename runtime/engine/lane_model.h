// What a lane program that was read from a bundle says of its model.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "dsl/model/model.h"

namespace mpf {

/// What readers of cases and writers of answers ask of a model: the program's variables, with the
/// states that are fixed, its inputs as the first factors, the params that cases set, the sweeps
/// that make cases of their own, and its query.
Model modelOfLanes(const LaneProgram &program);

} // namespace mpf
