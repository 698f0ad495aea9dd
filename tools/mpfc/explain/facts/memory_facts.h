// Table program -> memory over time: what is alive at every operation, and what was promised.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "tools/mpfc/explain/facts/explanation.h"

namespace mpf {

/// At most `kMemorySteps` steps: longer programs keep the worst operation of each stretch, so that
/// the peak is always shown. boundBytes and deviceBytes are the caller's.
inline constexpr size_t kMemorySteps = 600;
MemoryFacts memoryFacts(const TableProgram &program, ElementType type, bool signedValues);

} // namespace mpf
