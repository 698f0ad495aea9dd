// Places the messages of a lane program in memory.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

namespace mpf {

/// Sets the offsets of all messages and the size of their arena, for steps that run one after the
/// other (message_places.h).
void planLaneMemory(LaneProgram &program);

} // namespace mpf
