#include "dsl/support/expression/expression.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

/// std::lgamma would write the global `signgam`.
double logGamma(double a) {
  int sign = 0;
  return ::lgamma_r(a, &sign);
}

double modulo(double a, double b) {
  const double rest = std::fmod(a, b);
  if (rest == 0)
    return std::copysign(0.0, b);
  return std::signbit(rest) == std::signbit(b) ? rest : rest + b;
}

/// Returns 0 or 1; for a value that is not a number, that value.
double truthOf(double a) { return std::isnan(a) ? a : a != 0 ? 1 : 0; }

} // namespace

double applyUnary(OpCode code, double a) {
  switch (code) {
  case OpCode::Negate:
    return -a;
  case OpCode::Not:
    return std::isnan(a) ? a : a == 0 ? 1 : 0;
  case OpCode::Exp:
    return std::exp(a);
  case OpCode::Log:
    return std::log(a);
  case OpCode::Log2:
    return std::log2(a);
  case OpCode::Log10:
    return std::log10(a);
  case OpCode::Sqrt:
    return std::sqrt(a);
  case OpCode::Abs:
    return std::abs(a);
  case OpCode::Floor:
    return std::floor(a);
  case OpCode::Ceil:
    return std::ceil(a);
  case OpCode::Round:
    return std::round(a);
  case OpCode::Erf:
    return std::erf(a);
  case OpCode::Lgamma:
    return logGamma(a);
  default:
    MPF_UNREACHABLE("operation {} does not take one number", static_cast<int>(code));
  }
}

double applyBinary(OpCode code, double a, double b) {
  switch (code) {
  // The right side does not matter if the left one decides. A side that matters and is not a number
  // makes the value not a number.
  case OpCode::Or:
    return std::isnan(a) ? a : a != 0 ? 1 : truthOf(b);
  case OpCode::And:
    return std::isnan(a) ? a : a == 0 ? 0 : truthOf(b);
  case OpCode::Equal:
    return a == b ? 1 : 0;
  case OpCode::NotEqual:
    return a != b ? 1 : 0;
  case OpCode::Less:
    return a < b ? 1 : 0;
  case OpCode::LessEqual:
    return a <= b ? 1 : 0;
  case OpCode::Greater:
    return a > b ? 1 : 0;
  case OpCode::GreaterEqual:
    return a >= b ? 1 : 0;
  case OpCode::Add:
    return a + b;
  case OpCode::Subtract:
    return a - b;
  case OpCode::Multiply:
    return a * b;
  case OpCode::Divide:
    return a / b;
  case OpCode::Modulo:
    return modulo(a, b);
  case OpCode::Power:
    return std::pow(a, b);
  case OpCode::Min:
    // A NaN on either side wins, so that it is found and reported.
    return std::isnan(a) || a < b ? a : b;
  case OpCode::Max:
    return std::isnan(a) || a > b ? a : b;
  default:
    MPF_UNREACHABLE("operation {} does not take two numbers", static_cast<int>(code));
  }
}

} // namespace mpf
