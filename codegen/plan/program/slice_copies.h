// Adds copies of sliced variables, so that results can have variables that the program conditions
// on.
//
// A sliced variable x is in one state at a time, so no table holds all its states. The program adds
// a copy x' with the identity as a factor (1 where x' = x, else 0). The copy is an ordinary
// variable, whose marginal is that of the original. The identity has a single row in one slice. So
// accumulation over the slices fills in the states of the copy one by one, as a sum like any other.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <vector>

namespace mpf {

/// Adds a copy of each variable that will be sliced (the first `slicedCount` of `order`) and that
/// the results need: in a marginals program every one, else those in the output. `program` must be
/// an initial program (one operation, else Error(Internal)), and `order` must hold all its
/// variables. Returns the order with the copies. Copies of output variables come right after the
/// sliced variables; those of a marginals program come last, so they are eliminated first.
std::vector<VarId> addSlicedCopies(TableProgram &program, std::vector<VarId> order,
                                   size_t slicedCount);

/// Returns the variable of the model that `id` is or is a copy of.
inline VarId originalOf(const TableProgram &program, VarId id) {
  const VarId original = program.variables[id.index()].copyOf;
  return original.valid() ? original : id;
}

/// Returns the program with copies removed from its order, scopes and variables. Nothing else is
/// adapted: the result serves callers that look only at these.
TableProgram withoutCopies(TableProgram program);

/// Whether output variables may be sliced. Their copies need a reduction that adds, in which the
/// zeros of an identity change nothing.
bool allowsSlicedOutputs(Semiring semiring);

} // namespace mpf
