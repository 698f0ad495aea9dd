// BUCKET ELIMINATION (Dechter 1999): the one operation over everything becomes one per variable.
//
// Before: one operation; scopes follow the final global order. After: one operation per eliminated
// variable, in elimination order, each the product of the variable's bucket (all tables that hold
// it, the messages of earlier buckets among them) reduced over it; then, if more than one table is
// left, one product of the rest: constants, scalars of the connected parts, output variables.
//
// Sliced variables (slice_levels.h) are summed out by accumulation. A loop may end as soon as only
// one table depends on its variable. Operations after it then run once instead of once per
// iteration, which costs the memory of one more message. If that table depends on several loops,
// the innermost one ends first. Loops that do not end in this way come last: one product of all
// tables that depend on the innermost loop, one accumulation over it, and so on outwards.
//
// For queries that decode the traceback steps are added too, the last eliminated variable first.
// Operations may have any number of operands; pass_bound_operands comes later.
#pragma once

#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

/// `ends`: when loops end. Last for best assignments, because the loops decide the sliced
/// variables. In marginals programs loops that ended are entered again (reentered_loops.h); where
/// that would make too many loops, theirs end last too.
void passEliminate(TableProgram &program, LoopEnds ends);

} // namespace mpf
