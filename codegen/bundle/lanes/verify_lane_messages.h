// The order of a lane program: what is written before it is read, and which messages share memory.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

namespace mpf {

/// Throws Error(BadInput) unless every common table and every message is written once, before it is
/// read, and unless a message keeps its entries from the step that writes it to the last one that
/// reads it; those that outputs and the traceback read keep them to the end. The result of a step
/// shares no entry with what the step reads. Indices and sizes must have been checked.
void verifyLaneMessages(const LaneProgram &program);

} // namespace mpf
