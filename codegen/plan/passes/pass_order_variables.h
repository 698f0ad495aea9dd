// Puts a chosen global order into force: every scope is sorted by it (ICS'08 section 3).
// Pure renaming, but for copies of sliced variables (slice_copies.h): what is computed stays the
// same.
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

/// `order`: a permutation of program.order: `slicedCount` sliced variables, the output variables,
/// all others.
void passOrderVariables(TableProgram &program, const std::vector<VarId> &order, size_t slicedCount);

} // namespace mpf
