// COPIES OF SLICED VARIABLES: how a result keeps a variable that the program conditions on.
//
// A sliced variable x is in one state at a time, so no table holds all its states. The program adds
// a copy x' with the identity as a factor (1 where x' = x, else 0). The copy is an ordinary
// variable and has the marginal of x. In one slice the identity is a single row, so accumulation
// over the slices fills in the states of the copy one by one, with the same scaling as any other
// sum.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <vector>

namespace mpf {

/// `program`: one operation over everything. `order`: all its variables; the first `slicedCount`
/// will be sliced. Adds a copy for each sliced variable that the results need (in a marginals
/// program all, else the output variables) and returns the order with the copies, which stand
/// beside the output variables or are eliminated first.
std::vector<VarId> addSlicedCopies(TableProgram &program, std::vector<VarId> order,
                                   size_t slicedCount);

/// The variable of the model that `id` is or is a copy of.
inline VarId originalOf(const TableProgram &program, VarId id) {
  const VarId original = program.variables[id.index()].copyOf;
  return original.valid() ? original : id;
}

/// The program with copies removed from its order and scopes, for callers that need only those.
TableProgram withoutCopies(TableProgram program);

/// Whether output variables may be sliced. Their copies need a reduction in which zero is neutral.
bool allowsSlicedOutputs(Semiring semiring);

} // namespace mpf
