// Adds downward messages and marginals to an upward program. The downward message to a bucket sums
// up the rest of the network.
//
// No division is needed (Shafer and Shenoy 1990): the downward message to operand j of an operation
// is the downward message to its result times its other operands, reduced to j's scope. Zeros need
// no care, and 0/0 never arises. pass_bound_operands has split wide buckets into product trees, so
// the work stays linear in a bucket's operands: every tree node multiplies at most kMaxOperands
// tables.
//
// The marginal of a variable is computed at the cheapest of two places: from a message that holds
// it, times the downward message to it, or from the variable's own bucket.
//
// In a sliced program (slice_levels.h) a table is added up over a loop as soon as everything that
// depends on the loop's variable has been multiplied in, so that buckets outside the loop run once.
// Two loops beside each other inside a third one would each have to wait for the sum of the other.
// There the marginals inside a loop are added up without the message from outside, which is
// multiplied in after the loop. Loops that ended early get a reentered loop where one is needed
// (reentered_loops.h).
//
// Held variables (Query::output) are reduced nowhere. A downward message has those of them that the
// rest of the network depends on, beside the variables of the message that it answers; so has a
// posterior, which is one for each of their states. What the rest of the network does not tell
// about a part that it meets in held variables alone is a constant for each of their states: there
// is no message, as between components.
//
// Before: an upward program with the output "evidence", of at most kMaxOperands - 1 operands for
// each operation. After: the same operations, then the downward ones depth first (each downward
// message is made just before its subtree), and one normalised output per variable (of a sliced
// variable: from its copy). The scalars of other components are left out of a marginal, because
// they cancel when it is normalised. If one of them is 0, so is "evidence", and no marginal is
// defined.
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

/// Programs of queries other than marginals stay as they are.
void passDownward(TableProgram &program);

} // namespace mpf
