// Logarithms after e_log.c of FreeBSD's msun: ln(2^k * (1 + f)) by the series of ln((1 + s) / (1 -
// s)), s = f / (2 + f), with 1 + f from sqrt(1/2) to sqrt(2). The branches and shortcuts of e_log.c
// are left out, so that the compiler uses vectors. Compiled without fused multiply-adds.
#include "dsl/support/vectors/scaled_logs.h"

#include "dsl/support/scaled_number.h"
#include "dsl/support/vectors/vector_clones.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace mpf {

namespace {

constexpr int kExponentAt = 52;
constexpr uint64_t kMostBiased = 0x7ff; // exponent of infinity and NaN; 0: subnormal or 0

double lnOfNormal(uint64_t bits) {
  constexpr uint64_t kHalfSquareRoot = 0x3fe6a09e00000000, kBias = 1024;
  constexpr uint64_t kTwoTo52 = 0x4330000000000000; // 2^52, whose mantissa has free last bits
  constexpr double kLn2High = 6.93147180369123816490e-01, kLn2Low = 1.90821492927058770002e-10;
  constexpr double k1 = 6.666666666666735130e-01, k2 = 3.999999999940941908e-01,
                   k3 = 2.857142874366239149e-01, k4 = 2.222219843214978396e-01,
                   k5 = 1.818357216161805012e-01, k6 = 1.531383769920937332e-01,
                   k7 = 1.479819860511658591e-01;
  const uint64_t biased = (bits - kHalfSquareRoot + (kBias << kExponentAt)) >> kExponentAt;
  const double exponent = std::bit_cast<double>(biased | kTwoTo52) - (0x1p52 + kBias);
  const double f = std::bit_cast<double>(bits - ((biased - kBias) << kExponentAt)) - 1;
  const double half = 0.5 * f * f, s = f / (2 + f), z = s * s, w = z * z;
  const double even = w * (k2 + w * (k4 + w * k6)), odd = z * (k1 + w * (k3 + w * (k5 + w * k7)));
  return exponent * kLn2High - ((half - (s * (half + (odd + even)) + exponent * kLn2Low)) - f);
}

bool isNormal(uint64_t biased) { return biased - 1 < kMostBiased - 1; }

/// A number |value| * 2^scale, as bits.
struct ScaledBits {
  uint64_t bits, scale;

  ScaledBits(double value, int32_t exponent)
      : bits(std::bit_cast<uint64_t>(value) & (UINT64_MAX >> 1)),
        scale(static_cast<uint64_t>(int64_t{exponent})) {}
  /// Returns 1 if both the value and the scaled number are normal, else 0.
  uint64_t areNormal() const {
    const uint64_t biased = bits >> kExponentAt;
    return uint64_t{isNormal(biased)} & uint64_t{isNormal(biased + scale)};
  }
  double lnIfNormal() const { return lnOfNormal(bits + (scale << kExponentAt)); }
  /// Whether the value is 0; cases of probability zero are not rare.
  bool isZero() const { return bits == 0; }
};

/// Computes the logarithms of numbers that are 0 or normal. Returns whether all are.
MPF_VECTOR_CLONES uint64_t lnOfZerosAndNormals(const double *values, const int32_t *exponents,
                                               size_t count, double *logs) {
  uint64_t areKnown = 1;
  for (size_t i = 0; i < count; ++i) {
    const ScaledBits number(values[i], exponents[i]);
    areKnown &= number.areNormal() | uint64_t{number.isZero()};
    const double log = number.lnIfNormal();
    logs[i] = number.isZero() ? -std::numeric_limits<double>::infinity() : log;
  }
  return areKnown;
}

} // namespace

double lnOfScaled(double value, int32_t exponent) {
  const ScaledBits number(value, exponent);
  return number.areNormal() != 0 ? number.lnIfNormal()
                                 : ScaledNumber::fromValue(value, exponent).ln();
}

void lnOfScaled(const double *values, const int32_t *exponents, size_t count, double *logs) {
  constexpr size_t kPiece = 512; // computed again if it has other numbers
  for (size_t first = 0; first < count; first += kPiece) {
    const size_t end = std::min(count, first + kPiece);
    if (lnOfZerosAndNormals(values + first, exponents + first, end - first, logs + first) != 0)
      continue;
    for (size_t i = first; i < end; ++i)
      if (ScaledBits(values[i], exponents[i]).areNormal() == 0)
        logs[i] = ScaledNumber::fromValue(values[i], exponents[i]).ln();
  }
}

} // namespace mpf
