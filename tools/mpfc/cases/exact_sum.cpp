#include "tools/mpfc/cases/exact_sum.h"

#include "dsl/support/vectors/vector_clones.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace mpf::driver {

namespace {

constexpr int kUnitBits = 62, kHighUnitBits = 20;

/// Extends the two's complement to 128 bits.
Uint128 extended(int64_t value) { return static_cast<Uint128>(value); }

/// Returns a number that rounds: adding it to a number far below 2^(51 - bits) rounds that to a
/// multiple of 2^-bits. The last bits of the sum then count these multiples.
constexpr double rounder(int bits) {
  double value = 1.5;
  for (int i = 52; i > bits; --i)
    value *= 2;
  for (int i = 52; i < bits; ++i)
    value /= 2;
  return value;
}

constexpr double kHighRounder = rounder(kHighUnitBits), kLowRounder = rounder(kUnitBits);
constexpr double kMostSplit = 0x1p30; ///< of terms that the rounders take

constexpr size_t kPiece = size_t{1} << 11; ///< terms whose counts of units, of 51 bits, fit 63

/// Adds a piece if all of its terms are small enough for the rounders; else returns false.
MPF_VECTOR_CLONES bool addPiece(const double *terms, size_t count, Uint128 &sum) {
  uint64_t high = 0,
           low = 0; // differences modulo 2^64: those of terms that are not small mean nothing
  uint64_t areSmall = 1;
  for (size_t i = 0; i < count; ++i) {
    const double rounded = terms[i] + kHighRounder;
    const double rest = terms[i] - (rounded - kHighRounder) + kLowRounder;
    high += std::bit_cast<uint64_t>(rounded) - std::bit_cast<uint64_t>(kHighRounder);
    low += std::bit_cast<uint64_t>(rest) - std::bit_cast<uint64_t>(kLowRounder);
    areSmall &= uint64_t{std::abs(terms[i]) < kMostSplit};
  }
  if (areSmall == 0)
    return false;
  sum += (extended(std::bit_cast<int64_t>(high)) << (kUnitBits - kHighUnitBits)) +
         extended(std::bit_cast<int64_t>(low));
  return true;
}

/// Returns any term in units of 2^-62.
Uint128 unitsOf(double term) {
  const auto whole = static_cast<int64_t>(term);
  const double rest = std::ldexp(term - static_cast<double>(whole), kUnitBits);
  return (extended(whole) << kUnitBits) + extended(std::llrint(rest));
}

} // namespace

void ExactSum::add(const double *terms, size_t count) {
  for (size_t first = 0; first < count; first += kPiece) {
    const double *const piece = terms + first;
    const size_t size = std::min(kPiece, count - first);
    if (!addPiece(piece, size, sum_))
      for (size_t i = 0; i < size; ++i)
        sum_ += unitsOf(piece[i]);
  }
}

double ExactSum::value() const {
  const bool isNegative = sum_ >> 127 != 0;
  const double magnitude = std::ldexp(static_cast<double>(isNegative ? -sum_ : sum_), -kUnitBits);
  return isNegative ? -magnitude : magnitude;
}

} // namespace mpf::driver
