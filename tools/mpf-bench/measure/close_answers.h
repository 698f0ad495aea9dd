// When an answer to a case counts as right.
#pragma once

#include "dsl/support/scaled_number.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace mpf::bench {

/// The relative error that is allowed, of answers in "f32" or "f64": that of the tests
/// (tests/oracle).
inline double answerTolerance(const std::string &type) { return type == "f32" ? 1e-5 : 1e-12; }

/// Numbers of any magnitude; 0 is close to 0 alone.
inline bool areClose(const ScaledNumber &found, const ScaledNumber &right, double tolerance) {
  if (found.sign() != right.sign() || right.sign() == 0)
    return found.sign() == right.sign();
  const auto apart = std::clamp<int64_t>(found.exponent - right.exponent, -1000, 1000);
  return std::abs(std::ldexp(found.mantissa / right.mantissa, static_cast<int>(apart)) - 1) <=
         tolerance;
}

} // namespace mpf::bench
