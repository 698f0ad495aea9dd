// Writes the values of a compiled kernel's text: entries, products of entries, sums. Each is
// declared once, in the block of the text where it is first needed.
#pragma once

#include "dsl/support/code_writer.h"
#include "runtime/execute/compiled/compiled_kernel_plan.h"

#include <map>
#include <string>

namespace mpf {

/// The lanes [first, first + count) of a block, in one vector.
struct CompiledVector {
  uint64_t first = 0, count = 0;
};

/// Selects the operands of a product.
struct CompiledFactors {
  bool byTerm = false;  ///< true: operands that vary with the sum; false: the others
  bool byInner = false; ///< true: operands that have the inner digit; false: the others
};

/// Writes declarations to `out` as they are needed. The plan and `out` must outlive it.
class CompiledValues {
public:
  CompiledValues(const CompiledKernelPlan &plan, CodeWriter &out) : plan_(plan), out_(out) {}

  std::vector<CompiledVector> vectors; ///< vectors of the block that is being written
  std::vector<std::string> pointers;   ///< one per slot: name of the innermost pointer

  /// Begins a nested block of the text; closeScope ends it.
  void openScope() { scopes_.emplace_back(); }
  void closeScope() { scopes_.pop_back(); }

  std::string vectorType(size_t v) const;
  std::string combined(const std::string &a, const std::string &b) const;
  std::string reduced(const std::string &a, const std::string &b) const;
  /// Returns the identity of the reduction. It is 0 for maxima of products, which are not negative.
  std::string identity() const;

  /// Returns the name of the product of the selected operands, at a term of the sum and a copy of
  /// the inner digit. Empty if no operand is selected.
  std::string product(size_t v, uint64_t term, uint64_t copy, CompiledFactors factors);
  /// Returns the product of all operands that vary with the sum, first of those without the inner
  /// digit.
  std::string termValue(size_t v, uint64_t term, uint64_t copy);

private:
  bool plus() const;
  std::string entry(size_t slot, size_t v, uint64_t term, uint64_t copy);
  std::string declare(const std::string &value, const std::string &type, char letter);

  const CompiledKernelPlan &plan_;
  CodeWriter &out_;
  std::vector<std::map<std::string, std::string>> scopes_; ///< value -> name
  size_t names_ = 0;
};

} // namespace mpf
