// Canonical buckets: the shapes that kernels are judged on.
//
// A shape is written like an einsum with letters for digits: "xk,yk->xy". Letters of the result are
// kept, the others reduced; every table is row-major over its letters as written, so permuted
// layouts are shapes of their own.
#pragma once

#include "codegen/kernel/digit_form.h"

#include <string>
#include <vector>

namespace mpf::bench {

struct BucketShape {
  std::string name;
  std::string expression;                         ///< "xk,yk->xy"
  std::vector<std::pair<char, uint64_t>> extents; ///< in the order of the bucket address
  std::vector<std::string> operandLetters() const;
  std::string resultLetters() const;
};

/// pair, pair-deep, triangle, stream-last, stream-middle, chain-step, star, permuted pair: with
/// sizes for a large GPU. `scale` divides the work by about that factor (for CPUs and checks).
std::vector<BucketShape> canonicalShapes(uint64_t scale = 1);

/// The shape as an operation in digit form (sum-product), digits in the order of `extents`.
/// Throws Error(Usage) when the expression does not fit the extents.
DigitForm digitFormOf(const BucketShape &shape);

/// Multiplications and additions of the whole bucket: operands * addresses.
double flopsOf(const DigitForm &form);
/// Each operand read once, the result written once.
double compulsoryBytes(const DigitForm &form, ElementType type);

} // namespace mpf::bench
