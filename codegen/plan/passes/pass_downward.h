// DOWNWARD MESSAGES and marginals: what the rest of the network says about each bucket.
//
// Division-free (Shafer and Shenoy 1990): the downward message to operand j of an operation is the
// downward message to its result times its other operands, reduced to j's scope. Zeros need no
// care and 0/0 never arises. pass_bound_operands has split wide buckets into product trees, so the
// work stays linear in a bucket's operands: every tree node multiplies at most kMaxOperands tables.
//
// The marginal of a variable is taken from the cheapest place that knows everything: a message
// times its downward message, or the variable's own bucket.
//
// In slices (slice_levels.h) a table is added up over a loop as soon as all that depends on the
// loop's variable is in it, so that buckets outside of the loop are visited once. Two loops beside
// each other inside a third would each have to wait for the other's sum: there the marginals of a
// loop are added up without what its surroundings say, which is multiplied in after the loop. Loops
// that have ended early are entered again where that is needed (reentered_loops.h).
//
// Before: an upward program with the output "evidence". After: the same operations, then the
// downward ones depth first (each downward message is made just before its subtree), and one
// normalised output per variable (of a sliced one: from its copy). The scalars of other connected
// parts are left out of a marginal: they cancel when it is normalised. If one of them is 0, so is
// "evidence": no marginal is defined.
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

void passDownward(TableProgram &program);

} // namespace mpf
