// Finds the variables that a program holds: no operation reduces them, and the result has a part
// for each of their states. An expression holds its free variables. Marginals and best assignments
// hold the variables of Query::output.
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

} // namespace mpf
