// The figures of a lane program.
#pragma once

#include "codegen/lanes/build_lane_program.h"
#include "runtime/choose/engine_facts.h"

namespace mpf {

LaneFacts laneFacts(const LanePlan &plan);

} // namespace mpf
