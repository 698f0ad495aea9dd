// The variables that a program holds: no operation reduces them, and the result has a part of its
// own for each of their states. Those of an expression are its free variables; those of marginals
// and best assignments are what such a query holds (Query::output).
#pragma once

#include "codegen/plan/program/table_program.h"

#include <algorithm>
#include <vector>

namespace mpf {

/// In the order asked for. The program has its first output.
inline const std::vector<VarId> &heldVariables(const TableProgram &program) {
  return program.outputs.front().scope;
}

inline bool isHeld(const TableProgram &program, VarId variable) {
  return std::ranges::find(heldVariables(program), variable) != heldVariables(program).end();
}

} // namespace mpf
