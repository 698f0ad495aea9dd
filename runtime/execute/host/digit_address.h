// One address of an operation: the value of every digit. Verification uses it, because it shares
// nothing with the prepared loops of the kernels.
#pragma once

#include "codegen/bundle/bundle.h"

#include <vector>

namespace mpf {

class DigitAddress {
public:
  /// `digits` must outlive the address; all values start at 0.
  explicit DigitAddress(const std::vector<StridedDigit> &digits)
      : digits_(digits), values_(digits.size(), 0) {}

  /// Sets the kept digits to entry number `entry` of the result (last digit fastest) and the
  /// reduced digits to 0.
  void setKept(uint64_t entry) {
    for (size_t d = digits_.size(); d-- > 0;) {
      values_[d] = 0;
      if (digits_[d].reduced)
        continue;
      values_[d] = entry % digits_[d].extent;
      entry /= digits_[d].extent;
    }
  }

  /// Moves to the next values of the reduced digits. After the last ones returns false, with all of
  /// them 0.
  bool nextTerm() {
    for (size_t d = digits_.size(); d-- > 0;) {
      if (!digits_[d].reduced)
        continue;
      if (++values_[d] < digits_[d].extent)
        return true;
      values_[d] = 0;
    }
    return false;
  }

  /// Returns the offset of this address in a table with these strides, in elements.
  uint64_t offset(const BundleAccess &access) const {
    uint64_t offset = 0;
    for (size_t d = 0; d < values_.size(); ++d)
      offset += values_[d] * access.stridesElems[d];
    return offset;
  }

private:
  const std::vector<StridedDigit> &digits_;
  std::vector<uint64_t> values_;
};

} // namespace mpf
