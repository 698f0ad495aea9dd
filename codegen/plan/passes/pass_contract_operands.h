// Splits wide operations into contraction trees where that saves work.
//
// A downward message reduces several variables out of the product of a whole bucket. A variable
// that few of the operands hold is better reduced out of their product first: the rest of the
// bucket then has one variable less. This is bucket elimination (Dechter 1999) inside one
// operation; it greedily takes the variable that leaves the fewest entries to load.
//
// Example: a bucket has operands A_1(x, a_1) .. A_n(x, a_n) and D(a_1 .. a_n). One operation for
// the message to A_1 loads n entries at each of x * a_1 * .. * a_n addresses; steps load little
// over 2.
//
// Only marginals programs change: in upward operations every operand holds the reduced variable.
// The tables in between take memory, so a plan above its bound is tried without this pass
// (plan_trials.h).
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

/// The least addresses of an operation that is split: in smaller ones another operation costs more
/// than it saves.
inline constexpr uint64_t kContractAddresses = uint64_t{1} << 12;

/// Runs after pass_downward.h. A step is split off only if it saves at least an eighth of the loads
/// of its operation. Programs of other kinds, and accumulations, stay as they are.
void passContractOperands(TableProgram &program);

} // namespace mpf
