#include "dsl/support/expression/wide_arithmetic.h"

#include "dsl/support/check.h"
#include "dsl/support/wide_table.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <numbers>

namespace mpf {

namespace {

constexpr long double kLn2Long = 0.693147180559945309417232121458176568L;
/// ln 2 in 38 bits, so that whole multiples up to 2^26 are exact in a long double of 64 bits.
constexpr long double kLn2High = 0x1.62e42fefap-1L;
constexpr long double kLn2Low = 0x1.cf79abc9e3b39803f2f6af40f343267p-40L;

bool isOrdinary(double value) { return value == 0 || std::isnormal(value); }
bool isSpecial(double value) { return !std::isfinite(value); }

/// Returns mantissa * 2^exponent; the mantissa must be finite.
WideValue made(long double mantissa, int64_t exponent) {
  if (mantissa == 0)
    return {static_cast<double>(mantissa), 0};
  int shift = 0;
  double value = static_cast<double>(std::frexp(mantissa, &shift)) * 2; // in [1, 2]
  int64_t power = exponent + shift - 1;
  if (std::abs(value) >= 2) {
    value /= 2;
    ++power;
  }
  if (power > kMostWideExponent || power < -kMostWideExponent)
    return {std::copysign(1.0, value), power > 0 ? WideValue::kTooLarge : WideValue::kTooSmall};
  if (power < -1022 || power > 1023)
    return {value, power};
  return {std::ldexp(value, static_cast<int>(power)), 0};
}

/// The parts of any number that is not special: exponent 0 of 0.
struct Parts {
  long double mantissa = 0;
  int64_t exponent = 0;
};
Parts partsOf(const WideValue &a) {
  const ScaledNumber number = a.number();
  return {static_cast<long double>(number.mantissa), number.exponent};
}

/// Returns the nearest double, for operations on doubles.
double nearest(const WideValue &a) { return a.isPlain() ? a.value : a.number().nearest(); }

std::partial_ordering compare(const WideValue &a, const WideValue &b) {
  if (a.isPlain() && b.isPlain())
    return a.value <=> b.value;
  if (isSpecial(a.value) || isSpecial(b.value) || std::signbit(a.value) != std::signbit(b.value) ||
      a.value == 0 || b.value == 0)
    return a.value <=> b.value; // the mantissa has the sign, and infinities are beyond it
  const Parts x = partsOf(a), y = partsOf(b);
  const std::partial_ordering magnitudes = x.exponent != y.exponent
                                               ? std::partial_ordering(x.exponent <=> y.exponent)
                                               : std::abs(x.mantissa) <=> std::abs(y.mantissa);
  if (!std::signbit(a.value))
    return magnitudes;
  return magnitudes == std::partial_ordering::less      ? std::partial_ordering::greater
         : magnitudes == std::partial_ordering::greater ? std::partial_ordering::less
                                                        : magnitudes;
}

WideValue exponential(const WideValue &a) {
  if (!a.isPlain()) { // tiny, or beyond all doubles
    if (a.exponent < 0)
      return {1, 0};
    return {1, a.value > 0 ? WideValue::kTooLarge : WideValue::kTooSmall};
  }
  const double plain = std::exp(a.value);
  if (isSpecial(a.value) || std::isnormal(plain))
    return {plain, 0};
  if (std::abs(a.value) > static_cast<double>(kMostWideExponent))
    return {1, a.value > 0 ? WideValue::kTooLarge : WideValue::kTooSmall};
  const long double power = std::rint(static_cast<long double>(a.value) / kLn2Long);
  const long double rest = (static_cast<long double>(a.value) - power * kLn2High) - power * kLn2Low;
  return made(std::exp(rest), static_cast<int64_t>(power));
}

/// `code` is Log, Log2 or Log10.
WideValue logarithm(OpCode code, const WideValue &a) {
  if (a.value < 0 || a.isPlain())
    return WideValue::of(applyUnary(code, a.value));
  const auto exponent = static_cast<long double>(a.exponent);
  const auto mantissa = static_cast<long double>(a.value);
  if (code == OpCode::Log2)
    return WideValue::of(static_cast<double>(std::log2(mantissa) + exponent));
  const long double natural = std::log(mantissa) + exponent * kLn2Long;
  return WideValue::of(static_cast<double>(
      code == OpCode::Log ? natural : natural / std::numbers::ln10_v<long double>));
}

/// `code` is Floor, Ceil or Round. A number that is not plain is between -1 and 1, or whole.
WideValue wholeNumber(OpCode code, const WideValue &a) {
  if (a.isPlain())
    return {applyUnary(code, a.value), 0};
  return a.exponent > 0 ? a : WideValue{applyUnary(code, std::copysign(0x1p-1000, a.value)), 0};
}

WideValue root(const WideValue &a) {
  if (a.value < 0 || a.isPlain())
    return WideValue::of(std::sqrt(a.value));
  const int64_t odd = a.exponent & 1;
  return made(std::sqrt(std::ldexp(static_cast<long double>(a.value), static_cast<int>(odd))),
              (a.exponent - odd) / 2);
}

WideValue sum(const WideValue &a, const WideValue &b, double sign) {
  if (isSpecial(a.value) || isSpecial(b.value))
    return {nearest(a) + sign * nearest(b), 0};
  Parts x = partsOf(a), y = partsOf(b);
  y.mantissa *= static_cast<long double>(sign);
  if (x.mantissa == 0 || (y.mantissa != 0 && x.exponent < y.exponent))
    std::swap(x, y);
  constexpr int64_t kFar = 4000; // beyond this distance rounding hides the smaller number
  const int64_t distance = std::min<int64_t>(x.exponent - y.exponent, kFar);
  return made(x.mantissa + std::ldexp(y.mantissa, static_cast<int>(-distance)), x.exponent);
}

WideValue product(const WideValue &a, const WideValue &b) {
  if (isSpecial(a.value) || isSpecial(b.value))
    return {a.value * b.value, 0};
  const Parts x = partsOf(a), y = partsOf(b);
  return made(x.mantissa * y.mantissa, x.exponent + y.exponent);
}

WideValue quotient(const WideValue &a, const WideValue &b) {
  if (isSpecial(a.value) || isSpecial(b.value) || b.value == 0)
    return {a.value / b.value, 0};
  const Parts x = partsOf(a), y = partsOf(b);
  return made(x.mantissa / y.mantissa, x.exponent - y.exponent);
}

WideValue errorFunction(const WideValue &a) {
  if (a.isPlain() && (isSpecial(a.value) || isOrdinary(std::erf(a.value))))
    return {std::erf(a.value), 0};
  if (a.exponent > 0)
    return {std::copysign(1.0, a.value), 0};
  const Parts x = partsOf(a); // tiny: 2 x / sqrt(pi)
  return made(x.mantissa * 2 * std::numbers::inv_sqrtpi_v<long double>, x.exponent);
}

WideValue wideLogGamma(const WideValue &a) {
  if (a.isPlain()) {
    const double plain = applyUnary(OpCode::Lgamma, a.value);
    // It is infinite at 0, at whole numbers below 0, and beyond all doubles.
    if (std::isfinite(plain) || isSpecial(a.value) || a.value <= 0)
      return WideValue::of(plain);
  } else if (a.exponent < 0) {
    return applyWideUnary(OpCode::Negate, logarithm(OpCode::Log, applyWideUnary(OpCode::Abs, a)));
  } else if (a.value < 0) {
    return {std::numeric_limits<double>::infinity(), 0};
  }
  // Stirling's formula, x (ln x - 1): the other terms vanish in rounding.
  return product(a, sum(logarithm(OpCode::Log, a), {1, 0}, -1));
}

/// Both numbers are integers times powers of two, so the remainder is found in integers.
WideValue wideModulo(const WideValue &a, const WideValue &b) {
  if (isSpecial(a.value) || isSpecial(b.value) || a.value == 0 || b.value == 0)
    return {applyBinary(OpCode::Modulo, nearest(a), nearest(b)), 0};
  const Parts x = partsOf(a), y = partsOf(b);
  WideValue rest = a;
  if (x.exponent >= y.exponent) {
    constexpr int kBits = 52; // of the mantissas in [1, 2) behind the point
    const auto whole = [](long double mantissa) {
      return static_cast<uint64_t>(std::ldexp(std::abs(mantissa), kBits));
    };
    const uint64_t divisor = whole(y.mantissa);
    __extension__ using Wide = unsigned __int128;
    uint64_t result = whole(x.mantissa) % divisor, power = 2 % divisor;
    for (auto left = static_cast<uint64_t>(x.exponent - y.exponent); left > 0; left /= 2) {
      if (left % 2 != 0)
        result = static_cast<uint64_t>(static_cast<Wide>(result) * power % divisor);
      power = static_cast<uint64_t>(static_cast<Wide>(power) * power % divisor);
    }
    rest = made(std::copysign(static_cast<long double>(result), x.mantissa), y.exponent - kBits);
  }
  if (rest.value == 0)
    return {std::copysign(0.0, b.value), 0};
  return std::signbit(rest.value) == std::signbit(b.value) ? rest : sum(rest, b, 1);
}

/// Returns |a|^b = 2^(b * exponent + b * log2(mantissa)). Splits off whole powers of two before
/// anything is rounded.
WideValue power(const WideValue &a, const WideValue &b) {
  if (a.isPlain() && b.isPlain()) {
    const double plain = std::pow(a.value, b.value);
    if (std::isnormal(plain) || isSpecial(a.value) || isSpecial(b.value) || a.value == 0 ||
        std::isnan(plain))
      return {plain, 0};
  }
  if (a.value == 0 || isSpecial(a.value))
    return {std::pow(a.value, nearest(b)), 0};
  if (isSpecial(b.value) || (!b.isPlain() && b.exponent > 0)) // its magnitude is beyond all doubles
    return {std::pow(nearest(a), nearest(b)), 0};
  const double exponent = nearest(b);
  const bool isWhole = exponent == std::floor(exponent);
  if (a.value < 0 && !isWhole)
    return {std::numeric_limits<double>::quiet_NaN(), 0};
  const bool isNegative = a.value < 0 && std::fmod(exponent, 2) != 0;
  const Parts base = partsOf(a);
  const auto by = static_cast<long double>(exponent);
  const long double powers = by * static_cast<long double>(base.exponent);
  if (std::abs(powers) > 4 * static_cast<long double>(kMostWideExponent) || std::abs(by) > 0x1p60L)
    return {isNegative ? -1.0 : 1.0,
            (std::log2(std::abs(base.mantissa)) + static_cast<long double>(base.exponent)) * by > 0
                ? WideValue::kTooLarge
                : WideValue::kTooSmall};
  const long double whole = std::rint(powers);
  const long double rest = (powers - whole) + by * std::log2(std::abs(base.mantissa));
  if (std::abs(rest) > 4 * static_cast<long double>(kMostWideExponent))
    return {isNegative ? -1.0 : 1.0, rest > 0 ? WideValue::kTooLarge : WideValue::kTooSmall};
  const long double more = std::rint(rest);
  const long double mantissa = std::exp2(rest - more);
  return made(isNegative ? -mantissa : mantissa, static_cast<int64_t>(whole + more));
}

WideValue truth(bool holds) { return {holds ? 1.0 : 0.0, 0}; }

/// Whether the result of a double operation on plain numbers equals that in wide numbers.
bool isAsWide(OpCode code, double result) {
  if (code == OpCode::Modulo)
    return result == 0 || isSpecial(result) || std::isnormal(result);
  if (code != OpCode::Multiply && code != OpCode::Divide && code != OpCode::Add &&
      code != OpCode::Subtract)
    return true;
  return std::isnormal(result);
}

} // namespace

WideValue WideValue::of(double value) {
  if (isOrdinary(value) || isSpecial(value))
    return {value, 0};
  const ScaledNumber number = ScaledNumber::fromValue(value);
  return {number.mantissa, number.exponent};
}

WideValue applyWideUnary(OpCode code, const WideValue &a) {
  if (a.isLost())
    return a;
  switch (code) {
  case OpCode::Negate:
    return {-a.value, a.exponent};
  case OpCode::Not: // the exponent does not matter for truths
    return {applyUnary(code, a.value), 0};
  case OpCode::Exp:
    return exponential(a);
  case OpCode::Log:
  case OpCode::Log2:
  case OpCode::Log10:
    return logarithm(code, a);
  case OpCode::Sqrt:
    return root(a);
  case OpCode::Abs:
    return {std::abs(a.value), a.exponent};
  case OpCode::Floor:
  case OpCode::Ceil:
  case OpCode::Round:
    return wholeNumber(code, a);
  case OpCode::Erf:
    return errorFunction(a);
  case OpCode::Lgamma:
    return wideLogGamma(a);
  default:
    MPF_UNREACHABLE("operation {} does not take one number", static_cast<int>(code));
  }
}

WideValue applyWideBinary(OpCode code, const WideValue &a, const WideValue &b) {
  if (a.isLost() || b.isLost()) {
    const WideValue &lost = a.isLost() ? a : b;
    return code == OpCode::Modulo ? WideValue{std::copysign(1.0, b.value), lost.exponent} : lost;
  }
  if (a.isPlain() && b.isPlain() && code != OpCode::Power)
    if (const double plain = applyBinary(code, a.value, b.value); isAsWide(code, plain))
      return {plain, 0};
  switch (code) {
  case OpCode::Or:
  case OpCode::And: // the exponents do not matter for truths
    return {applyBinary(code, a.value, b.value), 0};
  case OpCode::Equal:
    return truth(compare(a, b) == std::partial_ordering::equivalent);
  case OpCode::NotEqual:
    return truth(compare(a, b) != std::partial_ordering::equivalent);
  case OpCode::Less:
    return truth(compare(a, b) == std::partial_ordering::less);
  case OpCode::LessEqual:
    return truth(compare(a, b) <= 0);
  case OpCode::Greater:
    return truth(compare(a, b) == std::partial_ordering::greater);
  case OpCode::GreaterEqual:
    return truth(compare(a, b) >= 0);
  case OpCode::Add:
    return sum(a, b, 1);
  case OpCode::Subtract:
    return sum(a, b, -1);
  case OpCode::Multiply:
    return product(a, b);
  case OpCode::Divide:
    return quotient(a, b);
  case OpCode::Modulo:
    return wideModulo(a, b);
  case OpCode::Power:
    return power(a, b);
  case OpCode::Min:
    return std::isnan(a.value) || compare(a, b) < 0 ? a : b;
  case OpCode::Max:
    return std::isnan(a.value) || compare(a, b) > 0 ? a : b;
  default:
    MPF_UNREACHABLE("operation {} does not take two numbers", static_cast<int>(code));
  }
}

} // namespace mpf
