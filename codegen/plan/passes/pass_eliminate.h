// BUCKET ELIMINATION (Dechter 1999): the one operation over everything becomes one per variable.
//
// Before: one operation; scopes follow the final global order. After: one operation per eliminated
// variable, in elimination order, each the product of the variable's bucket (all tables that hold
// it, the messages of earlier buckets among them) reduced over it; then, if more than one table is
// left, one product of the rest: constants, scalars of the connected parts, output variables.
// Variables that are sliced (slice_levels.h) are summed out by accumulation. The loop of one may
// end as soon as a single table depends on it: what follows then runs once and not once per
// iteration, for the memory of one more message. The innermost loop of that table ends first. Loops
// that do not end so come last: one product of all that depends on the innermost one, one
// accumulation over it, and so on outwards. For QueryKind::Best also the traceback steps, last
// eliminated variable first. Operations may have any number of operands; pass_bound_operands comes
// later.
#pragma once

#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

/// `ends`: Last for best assignments, where the loops decide the variables. Marginals go back into
/// loops that have ended (reentered_loops.h); where that would be too many, theirs end last.
void passEliminate(TableProgram &program, LoopEnds ends);

} // namespace mpf
