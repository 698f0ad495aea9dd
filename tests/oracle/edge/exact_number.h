// Computes sums and products of doubles without a single rounding, as dyadic rationals of any size.
// So an oracle for extreme values has no extremes itself.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <compare>
#include <cstdint>
#include <string>

namespace mpf::oracle {

/// The number mantissa * 2^exponent, with a mantissa of any number of bits. Immutable but for
/// assignment.
class ExactNumber {
public:
  ExactNumber() = default; ///< 0
  /// Converts exactly; throws Error(Internal) for infinities and NaN.
  static ExactNumber fromDouble(double value);
  static ExactNumber powerOfTwo(int64_t exponent);

  bool isZero() const { return mantissa_.is_zero(); }
  int sign() const { return mantissa_.sign(); }
  ExactNumber abs() const;
  /// Returns the number times 2^bits.
  ExactNumber shifted(int64_t bits) const;
  /// Returns floor(log2 |x|); the number must not be 0.
  int64_t topExponent() const;

  struct Scaled {
    long double mantissa = 0; ///< magnitude in [1, 2), or 0; cut to 64 bits
    int64_t exponent = 0;
  };
  Scaled scaled() const;
  /// Returns log2 of the magnitude; -infinity for 0. The number is cut to 64 bits before the
  /// logarithm.
  long double log2() const;
  /// Returns text for people, like "-1.25e-4000": the first ten digits of any magnitude.
  std::string text() const;

  ExactNumber operator-() const;
  ExactNumber &operator+=(const ExactNumber &other);
  ExactNumber &operator*=(const ExactNumber &other);
  friend ExactNumber operator+(ExactNumber a, const ExactNumber &b) { return a += b; }
  friend ExactNumber operator-(ExactNumber a, const ExactNumber &b) { return a += -b; }
  friend ExactNumber operator*(ExactNumber a, const ExactNumber &b) { return a *= b; }
  /// Compares values: 1 * 2^1 equals 2 * 2^0.
  friend std::strong_ordering operator<=>(const ExactNumber &a, const ExactNumber &b);
  friend bool operator==(const ExactNumber &a, const ExactNumber &b) { return (a <=> b) == 0; }

private:
  using Mantissa = boost::multiprecision::cpp_int;
  Mantissa mantissa_ = 0;
  int64_t exponent_ = 0; ///< 0 for 0
};

/// Whether |found - wanted| <= tolerance, which is not negative. Numbers whose exact difference
/// would not fit into memory are compared by their magnitudes first.
bool isWithin(const ExactNumber &found, const ExactNumber &wanted, const ExactNumber &tolerance);

} // namespace mpf::oracle
