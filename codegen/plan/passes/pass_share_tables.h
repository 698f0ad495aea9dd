// RE-USE OF EQUAL SUBPROGRAMS: equal tables are stored once, equal messages computed once.
//
// Two inputs are the same when their stored entries are (input_contents.h). Two operations are the
// same when their operands are, in the same places of addresses of the same extents, and they
// reduce the same digits: hash-consing (Ershov 1958) on the program in static single assignment,
// up to the names of variables. The slices of a stationary network, equal components, the members
// of a template then share memory and work. Tables of a sliced variable's slice are the same only
// with the same variable.
//
// After all passes that move operations: it depends on layouts. The operations stay in the list,
// so that the program can be verified; ProgramTable::sameAs says which are not run.
#pragma once

#include "codegen/plan/initial/input_contents.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

void passShareTables(TableProgram &program, const InputContents &contents);

} // namespace mpf
