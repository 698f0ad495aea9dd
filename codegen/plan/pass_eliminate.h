// BUCKET ELIMINATION (Dechter 1999): the one operation over everything becomes one per variable.
//
// Before: one operation; scopes follow the final global order. After: one operation per eliminated
// variable, in elimination order, each the product of the variable's bucket (all tables that hold
// it, the messages of earlier buckets among them) reduced over it; then, if more than one table is
// left, one product of the rest: constants, scalars of the connected parts, output variables.
// Variables that are sliced come last: one product of all that depends on the innermost one, one
// accumulation over it, and so on outwards (slice_levels.h).
// For QueryKind::Best also the traceback steps, last eliminated variable first.
// Operations may have any number of operands; pass_bound_operands comes later.
#pragma once

#include "codegen/plan/table_program.h"

namespace mpf {

void passEliminate(TableProgram &program);

} // namespace mpf
