// Checks the order of a lane program: tables are written before they are read, and messages share
// memory only if they are not needed at the same time.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

namespace mpf {

/// Throws Error(BadInput) if one of these rules is broken. Indices and sizes must have been
/// checked.
/// - Every common table and every message is written once, before it is read.
/// - A message keeps its entries from the step that writes it to the last step that reads it.
///   Messages that outputs and the traceback read keep them to the end.
/// - The result of a step shares no entry with the operands of the step.
void verifyLaneMessages(const LaneProgram &program);

} // namespace mpf
