// LOOP NEST of a sliced program: the operations of every loop become one stretch, inside that of
// the loop around it.
//
// Before: any execution order. After: in every loop, what a loop inside it needs comes just before
// that loop, what depends on its sums just after it; otherwise the order stays. Sums of small
// tables come last in their loop, beside each other, so that a device can take them together.
// Programs that are not sliced stay as they are.
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

void passNestOperations(TableProgram &program);

} // namespace mpf
