// Bytes of random cases in arrays of a host program, some of them wrong.
#pragma once

#include <cstdint>

namespace mpf::simt {

struct DrawnByte {
  uint8_t value = 0;
  bool isWrong = false; ///< `value` is no state and does not mean "not observed"
};

/// Returns a byte for a code of a variable with `states` states, at most 127. One byte of `oneIn`
/// is wrong.
template <class Random>
DrawnByte drawByte(Random &random, uint32_t code, uint32_t states, bool isUnsigned,
                   uint32_t oneIn) {
  const auto upTo = [&random](uint32_t most) { return static_cast<uint32_t>(random() % most); };
  if (upTo(oneIn) == 0)
    return {static_cast<uint8_t>(states + upTo((isUnsigned ? 255 : 128) - states)), true};
  const uint32_t none = isUnsigned ? 255 : 128 + upTo(128);
  return {static_cast<uint8_t>(code == states ? none : code), false};
}

} // namespace mpf::simt
