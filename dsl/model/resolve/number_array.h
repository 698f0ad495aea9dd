// Parts of arrays of numbers: `A`, `A[i]`, and what lists and sizes take from them.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mpf {

/// The part of an array at fixed indices of its first axes.
class ArrayView {
public:
  explicit ArrayView(ArrayPtr array) : array_(std::move(array)) {}

  /// Fixes the first axis that is left. `index` is less than its length.
  void fix(uint64_t index);

  size_t axesLeft() const { return array_->shape.size() - fixed_; }
  /// Returns the length of an axis that is left. In a ragged array, the last axis is as long as the
  /// row if it alone is left, else as the longest row.
  uint64_t length(size_t axis) const;
  std::vector<uint64_t> shape() const; ///< of the axes left
  /// Whether rows of different lengths are left.
  bool isRagged() const { return array_->isRagged && axesLeft() > 1; }
  /// Returns the numbers, row-major.
  std::span<const double> numbers() const;
  bool isWhole() const { return fixed_ == 0; }
  const NumberArray &array() const { return *array_; }
  const DomainInfo *domain(size_t axis) const { return array_->domains[fixed_ + axis].get(); }
  friend bool operator==(const ArrayView &, const ArrayView &) = default;

private:
  ArrayPtr array_;
  size_t fixed_ = 0;
  uint64_t place_ = 0; ///< of the fixed indices, row-major
};

/// Whether `expr` names an array, or a part of one with axes left.
bool isArray(const BuildContext &context, const ast::Expr &expr);
/// Returns the array or part that `expr`, for which isArray() holds, names. Returns nothing after
/// reporting an index that is not a number, or outside of its axis.
std::optional<ArrayView> resolveArray(BuildContext &context, const ast::Expr &expr);

/// Returns false after reporting an index outside of 0..length-1, or one that is no whole number.
/// `name` is that of the array.
bool checkIndex(BuildContext &context, double index, uint64_t length, const std::string &name,
                SourceRange range);

/// Returns the number of `array` among those that expressions read (ReadArrays).
uint32_t slotOf(BuildContext &context, const ArrayPtr &array);

/// Returns the value of size(...); nothing after reporting.
std::optional<uint64_t> resolveSize(BuildContext &context, const ast::Expr &call);

} // namespace mpf
