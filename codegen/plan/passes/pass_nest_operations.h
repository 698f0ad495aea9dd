// Nests the loops of a sliced program: makes the operations of every loop consecutive, inside the
// operations of the loop around it.
//
// Before: any execution order. After: an operation that an inner loop needs comes just before that
// loop, if nothing earlier needs it; other operations come after the inner loops whose sums they
// depend on. Otherwise the order stays. Accumulations of small tables come last in their loop, next
// to each other, so that a device can run them together. Programs that are not sliced stay as they
// are.
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

/// Throws Error(Internal) when loops need the sums of each other.
void passNestOperations(TableProgram &program);

} // namespace mpf
