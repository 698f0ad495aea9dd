// Places of messages by best fit, so that messages that are never needed at the same time share
// memory.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

namespace mpf {

/// Sets the offsets of all messages and the size of their arena. A message is needed from the step
/// that writes it to the last one that reads it; those of outputs and of the traceback to the end.
/// The result of a step shares no entry with what the step reads.
void planLaneMemory(LaneProgram &program);

} // namespace mpf
