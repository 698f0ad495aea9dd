// Turns the one operation over everything into one operation per variable, by bucket elimination
// (Dechter 1999).
//
// Before: one operation; scopes follow the final global order. After: one operation per eliminated
// variable, in elimination order. Each multiplies the variable's bucket (all tables that hold it,
// the messages of earlier buckets among them) and reduces the product over the variable. If then
// more than one table is left, or only an input, one product of the rest follows: constants,
// scalars of components, tables over output variables.
//
// Sliced variables (slice_levels.h) are reduced by accumulation. A loop may end as soon as only one
// table depends on its variable (tables over sliced variables alone, which hold one number for each
// slice, are not counted). Operations after it then run once instead of once per iteration, which
// costs the memory of one more message. If that table depends on several loops, the innermost one
// ends first. Loops that do not end in this way come last: one product of all tables that depend on
// the innermost loop, one accumulation over it, and so on outwards.
//
// Queries that decode an assignment also get the traceback steps, the last eliminated variable
// first. Operations may have any number of operands; pass_bound_operands comes later.
#pragma once

#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

/// `ends`: when loops end. It must be Last for queries that decode an assignment (else
/// Error(Internal)), because the loops decide the sliced variables. In marginals programs, loops
/// that ended may need reentered loops (reentered_loops.h). If there could be more than kMaxLoops
/// loops then, all loops end last instead. Also throws Error(Internal) when `program` has more than
/// one operation.
void passEliminate(TableProgram &program, LoopEnds ends);

} // namespace mpf
