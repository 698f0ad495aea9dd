// Fills a table from an expression over its scope's states.
#pragma once

#include "dsl/model/resolve/expression.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// Interprets an Expression for blocks of 256 entries, so that each instruction is decoded once for
/// a block. The stack is kept between calls; not thread-safe.
class ExpressionEvaluator {
public:
  /// out[i] = the value of the expression at entry begin + i of a row-major table over `extents`,
  /// the last variable fastest. A value that is undefined, as 0 / 0 is, is NaN.
  void evaluate(const Expression &expression, std::span<const uint32_t> extents, uint64_t begin,
                std::span<double> out);

private:
  static constexpr size_t kBlock = 256;

  void evaluateBlock(const Expression &expression, std::span<const uint32_t> extents,
                     std::span<const uint64_t> strides, uint64_t begin, std::span<double> out);
  double *level(size_t depth) { return stack_.data() + depth * kBlock; }

  std::vector<double> stack_;
};

} // namespace mpf
