// Code of an expression that is being compiled. Operations on constants are folded at once.
#pragma once

#include "dsl/support/expression/expression.h"

#include <span>
#include <utility>
#include <vector>

namespace mpf {

struct WideValue;

/// A growing stack program. Places are indices of instructions. Not thread-safe.
class FoldedCode {
public:
  size_t size() const { return code_.size(); }
  const Instruction &operator[](size_t place) const { return code_[place]; }
  const Instruction &back() const { return code_.back(); }
  std::span<const Instruction> since(size_t start) const { return std::span(code_).subspan(start); }
  Expression take() { return {std::move(code_)}; }

  void push(double value) { code_.push_back({OpCode::Constant, 0, value}); }
  /// Appends an instruction that is not folded.
  void add(OpCode code, uint32_t slot = 0) { code_.push_back({code, slot, 0}); }
  void append(std::span<const Instruction> code) {
    code_.insert(code_.end(), code.begin(), code.end());
  }
  /// Takes all instructions from `place` on away.
  void cut(size_t place) { code_.resize(place); }
  /// Replaces the constant at `place`.
  void setConstant(size_t place, double value) { code_[place].value = value; }

  /// Returns the constant to which all code since `start` was folded; null if it was not.
  const double *constantSince(size_t start) const;
  /// Evaluates the code since `start`, which reads no state, param or array, and replaces it by its
  /// value if a normal double holds that. Leaves other code as it is.
  void settle(size_t start);
  /// Appends or folds an operation on the value whose code starts at `start`.
  void apply(OpCode code, size_t start);
  /// Appends or folds an operation on the two values whose code starts at `left` and `right`.
  void combine(OpCode code, size_t left, size_t right);

private:
  /// Replaces all code from `start` on by the constant `value`. Returns false if no normal double
  /// holds it: the evaluation of the expression decides then.
  bool fold(size_t start, const WideValue &value);

  std::vector<Instruction> code_;
};

} // namespace mpf
