// Applies a chosen global order to an initial program: sorts every scope by it (ICS'08 section 3),
// marks the sliced variables and adds their copies (slice_copies.h). What is computed stays the
// same.
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

/// `order` is a permutation of program.order: first `slicedCount` variables to be sliced, then the
/// other output variables, then all others. Throws Error(Internal) when its length is wrong.
void passOrderVariables(TableProgram &program, const std::vector<VarId> &order, size_t slicedCount);

} // namespace mpf
