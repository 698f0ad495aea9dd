// Finds equal subprograms: equal tables are stored once, and equal messages are computed once.
//
// Two inputs are the same when their stored entries are equal (input_contents.h). Two operations
// are the same when they read the same tables, in the same places of bucket addresses of the same
// extents, and reduce the same digits (operation_key.h). This is hash-consing (Ershov 1958) on the
// program in static single assignment, up to the names of variables. So the time steps of a
// stationary network, equal components and the members of a template share memory and work. Tables
// that depend on a sliced variable are the same only if they depend on the same one.
//
// Runs after the passes that shape and nest operations. The operations stay in the list, so that
// the program can be verified. ProgramTable::sameAs marks those that do not run.
#pragma once

#include "codegen/plan/initial/input_contents.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

/// Sets ProgramTable::sameAs; `contents` must belong to the model of the program.
void passShareTables(TableProgram &program, const InputContents &contents);

} // namespace mpf
