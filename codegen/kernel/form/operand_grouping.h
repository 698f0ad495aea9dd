// OPERAND GROUPING: which operands of an operation form the rows and which the columns of a matrix
// product, and which role each digit then has (matrix_plan.h).
#pragma once

#include "codegen/kernel/form/digit_form.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct OperandGrouping {
  std::vector<uint32_t> rowOperands, columnOperands; ///< ascending, neither empty
  std::vector<DigitId> batch, rows, columns,
      terms; ///< digits in ascending order; digits of extent 1 are in no list
  /// Multiply-adds when the numbers of rows and of columns are rounded up to multiples of 16.
  double multiplyAdds = 0;
};

/// Returns the `limit` best ways to divide two or more operands into two groups, least
/// multiply-adds first. Groups are named so that the fastest kept digit of the result is never a
/// row digit. The search is exhaustive: kMaxOperands operands have 127 ways. Empty for one operand.
std::vector<OperandGrouping> operandGroupings(const DigitForm &form, size_t limit);

/// Multiply-adds of the best grouping; infinity for one operand.
double leastMatrixWork(const DigitForm &form);

} // namespace mpf
