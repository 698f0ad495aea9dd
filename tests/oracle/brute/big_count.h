// Natural numbers of any size, by school arithmetic: results in u64 and u128 are compared with
// them.
#pragma once

#include "dsl/support/integer_value.h"

#include <algorithm>
#include <vector>

namespace mpf::oracle {

class BigCount {
public:
  BigCount() = default;
  BigCount(Uint128 value) {
    for (; value != 0; value >>= 32)
      digits_.push_back(static_cast<uint32_t>(value));
  }

  friend BigCount operator+(const BigCount &a, const BigCount &b) {
    BigCount sum;
    uint64_t carry = 0;
    for (size_t i = 0; i < std::max(a.digits_.size(), b.digits_.size()) || carry != 0; ++i) {
      carry += uint64_t{a.digit(i)} + b.digit(i);
      sum.digits_.push_back(static_cast<uint32_t>(carry));
      carry >>= 32;
    }
    return sum;
  }
  friend BigCount operator*(const BigCount &a, const BigCount &b) {
    BigCount product;
    for (size_t i = 0; i < b.digits_.size(); ++i) {
      BigCount row;
      row.digits_.assign(i, 0);
      uint64_t carry = 0;
      for (size_t j = 0; j < a.digits_.size() || carry != 0; ++j) {
        carry += uint64_t{a.digit(j)} * b.digits_[i];
        row.digits_.push_back(static_cast<uint32_t>(carry));
        carry >>= 32;
      }
      row.trim();
      product = product + row;
    }
    return product;
  }
  friend bool operator<(const BigCount &a, const BigCount &b) {
    if (a.digits_.size() != b.digits_.size())
      return a.digits_.size() < b.digits_.size();
    return std::lexicographical_compare(a.digits_.rbegin(), a.digits_.rend(), b.digits_.rbegin(),
                                        b.digits_.rend());
  }

  bool fits(int32_t bits) const { return digits_.size() <= static_cast<size_t>(bits) / 32; }
  /// Returns the value, which must fit.
  Uint128 value() const {
    Uint128 value = 0;
    for (size_t i = digits_.size(); i-- > 0;)
      value = value << 32 | digits_[i];
    return value;
  }

private:
  uint32_t digit(size_t i) const { return i < digits_.size() ? digits_[i] : 0; }
  void trim() {
    while (!digits_.empty() && digits_.back() == 0)
      digits_.pop_back();
  }

  std::vector<uint32_t> digits_; ///< least significant first, no zeros at the end
};

} // namespace mpf::oracle
