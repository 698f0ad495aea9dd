// Orders the operations depth first, so that few tables are in memory at the same time. The subtree
// that frees the most memory comes first (Sethi and Ullman 1970, for expression trees; Liu 1986,
// for elimination trees). What is computed stays the same.
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

/// Orders an upward program, in which every result is read once: else Error(Internal).
void passOrderOperations(TableProgram &program);

} // namespace mpf
