// Finds the memory that a table program uses over time: the live bytes at every operation, and the
// predicted peak.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "tools/mpfc/explain/facts/explanation.h"

namespace mpf {

/// Returns at most `kMemorySteps` steps. Longer programs have only the worst operation of each
/// stretch, so that the peak is always shown. The caller sets boundBytes and deviceBytes.
inline constexpr size_t kMemorySteps = 600;
MemoryFacts memoryFacts(const TableProgram &program, ElementType type, bool signedValues);

} // namespace mpf
