// A fast, correctly rounded reader for short numbers ("0", "1", "0.25", "-12.5"), which most
// entries of tables are.
//
// A decimal whose digits make an integer of at most 2^53, with at most 22 of them behind the point,
// is the quotient of two exact doubles. One division rounds it correctly (Clinger, "How to read
// floating point numbers accurately", PLDI 1990, section 3). The caller reads all other numbers
// with std::from_chars, which is slower for short numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace mpf {

/// Reads [-]digits[.digits] from `at`. Sets `value` and returns where the number ends. Returns null
/// when no such number starts at `at`, when it is not in the exact range, or when an exponent
/// follows.
inline const char *scanPlainDecimal(const char *at, const char *end, double &value) {
  static constexpr std::array<double, 23> kPowersOfTen = {
      1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr uint64_t kMaxExact = uint64_t{1} << 53;
  const bool negative = at != end && *at == '-';
  at += negative;
  uint64_t digits = 0;
  const char *begin = at;
  // Above 2^53 the loop stops, so `digits` never overflows.
  const auto takeDigits = [&] {
    for (; at != end && digits <= kMaxExact; ++at) {
      const auto digit = static_cast<unsigned char>(*at - '0');
      if (digit > 9)
        return;
      digits = digits * 10 + digit;
    }
  };
  takeDigits();
  auto count = at - begin;
  size_t decimals = 0;
  if (at != end && *at == '.') {
    const char *point = at++;
    takeDigits();
    decimals = static_cast<size_t>(at - point - 1);
    count += at - point - 1;
  }
  const bool exact = count != 0 && digits <= kMaxExact && decimals < kPowersOfTen.size();
  if (!exact || (at != end && (*at == 'e' || *at == 'E')))
    return nullptr;
  const double magnitude = static_cast<double>(digits) / kPowersOfTen[decimals];
  value = negative ? -magnitude : magnitude;
  return at;
}

} // namespace mpf
