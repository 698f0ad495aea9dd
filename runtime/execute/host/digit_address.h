// One address of an operation, by its definition: the value of every digit. For recomputations that
// share nothing with the prepared loops of the kernels.
#pragma once

#include "codegen/bundle/bundle.h"

#include <vector>

namespace mpf {

class DigitAddress {
public:
  /// `digits` outlive the address; all values start at 0.
  explicit DigitAddress(const std::vector<BundleDigit> &digits)
      : digits_(digits), values_(digits.size(), 0) {}

  /// The digits that are kept take the values of this entry, counted over them with the last one
  /// fastest; the reduced ones start again.
  void setKept(uint64_t entry) {
    for (size_t d = digits_.size(); d-- > 0;) {
      values_[d] = 0;
      if (digits_[d].reduced)
        continue;
      values_[d] = entry % digits_[d].extent;
      entry /= digits_[d].extent;
    }
  }

  /// The next values of the reduced digits; false, and all of them 0, after the last.
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

  /// In a table read or written this way, in elements.
  uint64_t offset(const BundleAccess &access) const {
    uint64_t offset = 0;
    for (size_t d = 0; d < values_.size(); ++d)
      offset += values_[d] * access.stridesElems[d];
    return offset;
  }

private:
  const std::vector<BundleDigit> &digits_;
  std::vector<uint64_t> values_;
};

} // namespace mpf
