// Fills a table from an expression over its scope's states.
#pragma once

#include "dsl/model/resolve/expression.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// Interprets an Expression for a block of entries at a time, so that the cost of interpreting is
/// shared. Keeps its stack between calls; not thread-safe.
class ExpressionEvaluator {
public:
  /// out[i] = the expression at entry begin + i of a table over `extents`, last fastest.
  /// Entries that are not numbers come out as NaN.
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
