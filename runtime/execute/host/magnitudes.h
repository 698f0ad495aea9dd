// The least and greatest magnitude of doubles. Bits of doubles of one sign are ordered like their
// values, so a loop over bits needs no branch.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace mpf {

struct Magnitudes {
  /// Adds `count` values, each `step` after the one before.
  void add(const double *values, uint64_t count, uint64_t step);
  void add(double value) {
    const auto bits = std::bit_cast<uint64_t>(value);
    const uint64_t magnitude = bits & ~kSign;
    greatestBits = std::max(greatestBits, magnitude);
    leastBits = std::min(leastBits, magnitude - 1); // 0 becomes the largest number
    hasNegative |= bits > kSign;
  }

  bool allZero() const { return greatestBits == 0; }
  bool allFinite() const { return greatestBits < kInfinityBits; }
  double greatest() const { return std::bit_cast<double>(greatestBits); }
  /// Returns the least magnitude other than 0. Not allZero().
  double least() const { return std::bit_cast<double>(leastBits + 1); }

  bool hasNegative = false; ///< some value is below 0, or is not a number

private:
  uint64_t addPairs(const double *values, uint64_t count);

  static constexpr uint64_t kSign = uint64_t{1} << 63, kInfinityBits = uint64_t{0x7ff} << 52;

  uint64_t greatestBits = 0;
  uint64_t leastBits = UINT64_MAX; ///< of the least magnitude other than 0, minus 1
};

} // namespace mpf
