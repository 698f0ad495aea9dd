// Where the messages of a lane program lie.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

namespace mpf {

/// Sets the offsets of all messages and the size of their arena, where the steps run one after the
/// other (message_places.h).
void planLaneMemory(LaneProgram &program);

} // namespace mpf
