// LOOP NEST of a sliced program: operations before the loops that need them, then each loop inside
// the one around it, then what works on accumulated tables, from the inside out.
//
// Before: any execution order. After: operations sorted by level going in; those that depend on an
// accumulation, sorted by level going out. The order within a level stays. Programs that are not
// sliced stay as they are.
#pragma once

#include "codegen/plan/table_program.h"

namespace mpf {

void passNestOperations(TableProgram &program);

} // namespace mpf
