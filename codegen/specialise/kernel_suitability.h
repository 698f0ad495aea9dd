// Which operations of a program specialised kernels may run at all, whatever they would gain.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "dsl/support/semiring.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// Specialised kernels load up to 16 bytes at once: whether each slice of a table, by its strides
/// in entries, begins where that is allowed.
bool slicesAreAligned(std::span<const uint64_t> sliceStridesElems, ElementType type);

/// One flag for each operation: it does not add slices up, which the table-driven kernels do, and
/// all its operands have aligned slices.
std::vector<bool> suitsKernels(const TableProgram &program, ElementType type);

} // namespace mpf
