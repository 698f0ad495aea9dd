// Writes the values of a compiled kernel's text: entries, products of entries, sums. Each is
// declared once, in the block of the text where it is first needed.
#pragma once

#include "dsl/support/code_writer.h"
#include "runtime/execute/compiled/compiled_kernel_plan.h"

#include <map>
#include <string>

namespace mpf {

/// Lanes [first, first + count) of a block, one vector.
struct CompiledVector {
  uint64_t first = 0, count = 0;
};

/// Selects the operands that a product is formed of.
struct CompiledFactors {
  bool byTerm = false;  ///< true: operands that vary with the sum; false: those that do not
  bool byInner = false; ///< true: operands that have the inner digit; false: those without
};

/// Writes declarations to `out` as they are needed. The plan and `out` must outlive it.
class CompiledValues {
public:
  CompiledValues(const CompiledKernelPlan &plan, CodeWriter &out) : plan_(plan), out_(out) {}

  std::vector<CompiledVector> vectors; ///< vectors of the block that is being written
  std::vector<std::string> pointers;   ///< one per slot: name of the innermost pointer

  /// Begin and end a nested block of the text.
  void openScope() { scopes_.emplace_back(); }
  void closeScope() { scopes_.pop_back(); }

  std::string vectorType(size_t v) const;
  std::string combined(const std::string &a, const std::string &b) const;
  std::string reduced(const std::string &a, const std::string &b) const;
  /// The identity of the reduction. Where products are maximised they are not negative.
  std::string identity() const;

  /// The name of the product of the selected operands, at a term of the sum and a copy of the inner
  /// digit; empty when no operand is selected.
  std::string product(size_t v, uint64_t term, uint64_t copy, CompiledFactors factors);
  /// The product of all operands that vary with the sum: those without the inner digit first.
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
