// LOOP NEST of a sliced program: makes the operations of every loop consecutive, inside the
// operations of the loop around it.
//
// Before: any execution order. After: operations that an inner loop needs come just before that
// loop, operations that depend on its sums just after it; otherwise the order stays. Sums of small
// tables come last in their loop, next to each other, so that a device can run them together.
// Programs that are not sliced stay as they are.
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

void passNestOperations(TableProgram &program);

} // namespace mpf
