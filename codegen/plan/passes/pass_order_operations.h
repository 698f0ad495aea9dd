// Orders the operations so that few tables are in memory at the same time: depth first, the subtree
// that frees the most memory again first (Sethi and Ullman 1970, for expression trees; Liu 1986,
// for elimination trees). What is computed stays the same.
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

/// The program must be an upward one, in which every result is read once: else Error(Internal).
void passOrderOperations(TableProgram &program);

} // namespace mpf
