#include "codegen/simplify/algebra.h"

#include "dsl/support/check.h"
#include "dsl/support/whole_number.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mpf {

namespace {

double logSum(double a, double b) {
  const double greatest = std::max(a, b);
  if (greatest == -kInfinity)
    return greatest;
  return greatest + std::log1p(std::exp(std::min(a, b) - greatest));
}

} // namespace

double Algebra::reduce(double a, double b) const {
  switch (semiring_.reduce) {
  case Reduce::Sum:
    return a + b;
  case Reduce::Max:
    return std::max(a, b);
  case Reduce::Min:
    return std::min(a, b);
  case Reduce::LogSum:
    return logSum(a, b);
  }
  return a;
}

double Algebra::zero() const { return semiring_.combine == Combine::Times ? 0 : -kInfinity; }

double Algebra::repeated(double value, double count) const {
  if (semiring_.reduce == Reduce::Sum)
    return value * count;
  return semiring_.reduce == Reduce::LogSum ? value + std::log(count) : value;
}

// Sums and products of whole numbers that are not below 2^53 are not below it after rounding.
bool Algebra::exactProduct(double a, double b, double result) const {
  if (whole_)
    return result < kWholeTextLimit;
  if (semiring_.combine == Combine::Plus)
    return std::isfinite(result) || a == -kInfinity || b == -kInfinity;
  return std::isnormal(result) || a == 0 || b == 0;
}

bool Algebra::exactSum(double result) const {
  if (whole_)
    return result < kWholeTextLimit;
  return std::isfinite(result) || (semiring_.combine == Combine::Plus && result == -kInfinity);
}

bool Algebra::fitsScale(const AnswerScale &scale, double value) const {
  if (whole_ && semiring_.combine == Combine::Times)
    return std::ldexp(scale.mantissa, static_cast<int>(scale.exponent)) * value < kWholeTextLimit;
  return isZero(value) || semiring_.combine == Combine::Times ||
         std::abs(scale.offset + value) <= AnswerScale::kMaxOffset;
}

bool Algebra::multiplyScale(AnswerScale &scale, double value) const {
  if (isZero(value))
    return false;
  MPF_CHECK(fitsScale(scale, value), "offset {} + {} is beyond {}", scale.offset, value,
            AnswerScale::kMaxOffset);
  if (semiring_.combine == Combine::Plus) {
    scale.offset += value;
    return true;
  }
  scale.mantissa *= value;
  if (scale.mantissa == 0) // the minimum of products may be 0; it stays 0
    return true;
  const int shift = std::ilogb(scale.mantissa);
  scale.mantissa = std::ldexp(scale.mantissa, -shift);
  scale.exponent += shift;
  return true;
}

} // namespace mpf
