// Splits wide operations into contraction trees where that saves work.
//
// A downward message reduces several variables out of the product of a whole bucket. A variable
// that few of the operands hold is better reduced out of their product first: the rest of the
// bucket then has one variable less. What is chosen is elimination inside one operation (Dechter
// 1999), greedily the variable that leaves least to load. Of n operands A_i(x, a_i) and
// D(a_1 .. a_n), the message to A_1 costs n loads at each of x * a_1 * .. * a_n addresses at once,
// and little over 2 in steps.
//
// Marginals only: an upward operation holds every operand of its variable. Costs memory for the
// tables in between: a plan over its bound is tried without this pass (plan_trials.h).
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

/// Operations under this many addresses stay whole: another operation costs more.
inline constexpr uint64_t kContractAddresses = uint64_t{1} << 12;

void passContractOperands(TableProgram &program);

} // namespace mpf
