// COPIES OF SLICED VARIABLES: how a result keeps a variable that the program conditions on.
//
// A sliced variable x is in one state at a time, so no table can hold its states beside each other.
// A copy x' tied to it by the identity (1 where x' = x, else 0) can: it is a variable like any
// other, and its marginal is that of x. Per slice the identity is one row, so that accumulation
// over slices fills in the copy's states one by one, with the scaling of any other sum.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <vector>

namespace mpf {

/// `program`: one operation over everything; `order`: all its variables, the first `slicedCount`
/// about to be sliced. Adds a copy for each of those that the results need (all of a marginals
/// program; the output variables of others) and gives the order with the copies: beside the output
/// variables, or eliminated first.
std::vector<VarId> addSlicedCopies(TableProgram &program, std::vector<VarId> order,
                                   size_t slicedCount);

/// The variable of the model that `id` is or stands for.
inline VarId originalOf(const TableProgram &program, VarId id) {
  const VarId original = program.variables[id.index()].copyOf;
  return original.valid() ? original : id;
}

/// The order and the scopes without copies, for whoever wants no more than these.
TableProgram withoutCopies(TableProgram program);

/// Whether output variables may be sliced: their copies need a reduction that zeros are neutral to.
bool allowsSlicedOutputs(Semiring semiring);

} // namespace mpf
