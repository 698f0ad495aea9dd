// Finds the operations of a program that specialised kernels may run at all, without regard to
// gain.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "dsl/support/semiring.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// Whether each slice of a table, by its strides in entries, begins at an allowed address:
/// specialised kernels load up to 16 bytes at once.
bool slicesAreAligned(std::span<const uint64_t> sliceStridesElems, ElementType type);

/// Returns one flag for each operation. It is true if the operation does not add slices up, which
/// the table-driven kernels do, and all its operands have aligned slices.
std::vector<bool> suitsKernels(const TableProgram &program, ElementType type);

} // namespace mpf
