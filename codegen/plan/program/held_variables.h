// Finds the variables that a program holds: no operation reduces them, and the result has a part
// for each of their states. An expression holds its free variables. Marginals and best assignments
// hold the variables of Query::output. Counts the posteriors of the others.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <algorithm>
#include <vector>

namespace mpf {

/// Returns the held variables in the order of the query. The program must have its first output.
inline const std::vector<VarId> &heldVariables(const TableProgram &program) {
  return program.outputs.front().scope;
}

inline bool isHeld(const TableProgram &program, VarId variable) {
  return std::ranges::find(heldVariables(program), variable) != heldVariables(program).end();
}

/// Returns the number of posteriors of a marginals program: one for each variable of the order that
/// is neither held nor sliced (copies replace those) nor unasked.
inline size_t countPosteriors(const TableProgram &program) {
  return static_cast<size_t>(std::ranges::count_if(program.order, [&program](VarId id) {
    const ProgramVariable &variable = program.variables[id.index()];
    return !variable.sliced && !variable.unasked && !isHeld(program, id);
  }));
}

} // namespace mpf
