// Adds downward messages and posteriors to an upward program. The downward message to a bucket sums
// up the rest of the network.
//
// No division is needed (Shafer and Shenoy 1990). The downward message to operand j of an operation
// is the downward message to its result times its other operands, reduced to j's scope. Zeros need
// no care, and 0/0 never arises. Wide buckets have been split into product trees
// (pass_bound_operands.h), in which every node multiplies at most kMaxOperands tables. So the work
// stays linear in a bucket's operands.
//
// The marginal of a variable is computed at the cheaper of two places. One is a message that holds
// it, times the downward message to it; the other is the variable's own bucket.
//
// A sliced program (slice_levels.h) adds a table up over a loop as soon as everything that depends
// on the loop's variable has been multiplied in. So buckets outside the loop run once. Two loops
// beside each other inside a third one would each have to wait for the sum of the other. There the
// marginals inside a loop are added up without the message from outside, which is multiplied in
// after the loop. Loops that ended early get a reentered loop where one is needed
// (reentered_loops.h).
//
// Held variables (Query::output) are reduced nowhere. A downward message has the variables of the
// message that it answers, and the held variables that the rest of the network depends on. A
// posterior has these held variables too: there is one for each of their states. Where two parts of
// the network share held variables alone, each is a constant factor of the other for each of their
// states. There is no message between them, as between components.
//
// Joined queries (QueryKind::Joints) ask for posteriors over several variables. Some input or
// product holds the variables of each, so the bucket of the one that is eliminated first holds them
// too. The posterior is taken there, as a marginal is. Only subtrees in which a posterior is taken
// get downward messages.
//
// Before: an upward program with the output "evidence", of at most kMaxOperands - 1 operands for
// each operation. After: the same operations, then the downward ones depth first (each downward
// message is made just before its subtree), and one normalised output for each posterior. Marginals
// have one for each variable that is not ProgramVariable::unasked. The
// output of a sliced variable is that of its copy. The scalars of other components are left out of
// a marginal, because they cancel when it is normalised. If one of them is 0, so is "evidence", and
// no marginal is defined.
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

/// Adds the downward messages and posteriors of marginals and joined queries. Programs of other
/// queries stay as they are.
void passDownward(TableProgram &program);

} // namespace mpf
