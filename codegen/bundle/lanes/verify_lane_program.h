// The invariants of a lane program, on which executors and emitters rely without further checks.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

namespace mpf {

/// Throws Error(BadInput) with the first broken rule; a program that passes can be run on any block
/// of its schema without an access outside of its tables. Rules:
/// - the kind of query is one that is planned, the type floating, the semiring that of sums or
///   maxima of products and the same in every operation;
/// - indices in range; extents at least 1 and everywhere the variable's; columns distinct and of
///   variables that are not fixed;
/// - values are finite, and not negative where maxima are taken; those without entries have a name;
/// - tables have the sizes of their sources; each likelihood has one table at most;
/// - common operations and steps read and write tables of the kinds that LaneOperation allows, 1 to
///   kMaxLaneOperands of them, with every offset inside; a result is covered exactly once;
/// - a gather picks whole rows: its strides are multiples of the message's size, which is the same
///   for all gathers of a table, and every code leads inside; columns ascend;
/// - messages and common tables are written once, before they are read; while a message is needed
///   no other one overlaps it (verify_lane_messages.h);
/// - the variables of a table asked for are distinct; only kinds of queries that ask for tables
///   have any;
/// - each of the last outputs of such a kind has the variables of a table asked for that are not
///   fixed, in their order;
/// - outputs cover their messages and are those that the kind of query has;
/// - only kinds that decode have a traceback; it decides each variable that is not fixed once, from
///   variables that were decided before.
void verifyLanes(const LaneProgram &program);

} // namespace mpf
