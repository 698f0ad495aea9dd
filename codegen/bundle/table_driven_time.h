// What the table-driven kernels take for a term, for predictions with and without a compiler.
#pragma once

#include "dsl/support/semiring.h"

#include <cstddef>

namespace mpf {

/// What a thread waits for one term of its stretch, whatever else runs, and for each operand of it.
/// Measured on one H200.
struct TableDrivenTerm {
  double termUs = 0, operandUs = 0;
};

/// In products of a few plain numbers, and of anything else (mpf_table_driven.cuh). `packed`: some
/// operand is.
inline TableDrivenTerm tableDrivenTerm(const Semiring &semiring, ElementType type, bool packed,
                                       size_t operands) {
  constexpr size_t kPlainOperands = 4;
  const bool plain = semiring.combine == Combine::Times && !isIntegerType(type) && !packed &&
                     operands <= kPlainOperands;
  return plain ? TableDrivenTerm{0.15, 0.1} : TableDrivenTerm{0.3, 0.2};
}

} // namespace mpf
