// Orders the operations so that few tables live at once: depth first, the subtree that needs most
// memory first (Sethi and Ullman 1970, for expression trees; Liu 1986 for elimination trees).
//
// Upward programs only, where every table is used once. What is computed stays the same.
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

void passOrderOperations(TableProgram &program);

} // namespace mpf
