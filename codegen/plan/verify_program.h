// Invariants of a table program, checked after every pass and after reading one from text.
#pragma once

#include "codegen/plan/table_program.h"

#include <optional>
#include <string>

namespace mpf {

/// What is wrong first, as one sentence, or nothing. Checks that
/// - ids are in range, every table has one origin, results are written once and read later (SSA);
/// - the order has each variable of a scope once, scopes are sorted by it, sizes are right;
/// - a result's scope is the union of its operands' less the reduced variables; in upward programs
///   those are the least significant ones; costs are right; operand counts are bounded;
/// - every input enters the product of every output exactly once (marginals: every input of the
///   connected part), and a variable is reduced only once all tables that hold it have been
///   multiplied in (running intersection);
/// - outputs are results with permuted scopes, traceback steps know all earlier variables.
///
/// `bounded`: operand counts are limited to kMaxOperands (not before pass_bound_operands).
/// The counting arguments compare 64-bit sums of hashes: linear time, and a wrong program passes
/// with probability 2^-64. Memory and time are linear in the program.
std::optional<std::string> verifyProgram(const TableProgram &program, bool bounded = true);

} // namespace mpf
