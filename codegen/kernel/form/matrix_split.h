// MATRIX SPLIT: which operands of a bucket make the rows and which the columns of a matrix product.
#pragma once

#include "codegen/kernel/form/digit_form.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct MatrixSplit {
  std::vector<uint32_t> rowOperands, columnOperands; ///< ascending, neither empty
  std::vector<DigitId> batch, rows, columns,
      terms; ///< digits by number, those of extent 1 left out
  /// Multiply-adds with rows and columns rounded up to units of 16.
  double multiplyAdds = 0;
};

/// All ways to split two or more operands in two groups, least multiply-adds first, at most
/// `limit`; the digit of the result's neighbouring entries is never a row digit where it can be a
/// column digit. Exhaustive: kMaxOperands operands have 127 ways. Empty for one operand.
std::vector<MatrixSplit> matrixSplits(const DigitForm &form, size_t limit);

/// Multiply-adds of the best split; infinite without any.
double leastMatrixWork(const DigitForm &form);

} // namespace mpf
