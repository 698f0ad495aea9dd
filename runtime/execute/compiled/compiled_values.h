// VALUES in the text of an operation's own kernel: entries, products of them, sums, each declared
// once in the block where it is first needed.
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

/// Operands that a product is made of.
struct CompiledFactors {
  bool byTerm = false;  ///< those that vary with the sum, or those that do not
  bool byInner = false; ///< those with the inner digit, or those without
};

/// Writes declarations to `out` as they are needed. The plan and `out` must outlive it.
class CompiledValues {
public:
  CompiledValues(const CompiledKernelPlan &plan, CodeWriter &out) : plan_(plan), out_(out) {}

  std::vector<CompiledVector> vectors; ///< of the block that is written
  std::vector<std::string> pointers;   ///< of every slot, innermost

  /// A block of the text begins inside the one before it, and ends.
  void openScope() { scopes_.emplace_back(); }
  void closeScope() { scopes_.pop_back(); }

  std::string vectorType(size_t v) const;
  std::string combined(const std::string &a, const std::string &b) const;
  std::string reduced(const std::string &a, const std::string &b) const;
  /// The identity of the reduction. It is 0 for a maximum of products, which are not negative.
  std::string identity() const;

  /// Name of the product of some operands at a term of the sum and a copy of the inner digit; empty
  /// when there are none.
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
