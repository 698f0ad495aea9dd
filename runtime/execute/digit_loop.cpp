#include "runtime/execute/digit_loop.h"

namespace mpf {

void fillOffsets(std::span<const LoopDigit> digits, size_t slot, uint64_t first, size_t count,
                 uint64_t *offsets) {
  std::array<uint64_t, kMaxBundleDigits + 1> values{};
  uint64_t offset = 0, index = first;
  for (size_t d = digits.size(); d-- > 0;) {
    values[d] = index % digits[d].extent;
    index /= digits[d].extent;
    offset += values[d] * digits[d].strides[slot];
  }
  for (size_t i = 0; i < count; ++i) {
    offsets[i] = offset;
    for (size_t d = digits.size(); d-- > 0;) {
      if (++values[d] < digits[d].extent) {
        offset += digits[d].strides[slot];
        break;
      }
      values[d] = 0;
      offset -= (digits[d].extent - 1) * digits[d].strides[slot];
    }
  }
}

} // namespace mpf
