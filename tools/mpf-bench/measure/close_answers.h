// When an answer to a case counts as right.
#pragma once

#include "dsl/support/check.h"
#include "dsl/support/scaled_number.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <string>

namespace mpf::bench {

/// The relative error that is allowed, of answers in "f32" or "f64": that of the tests
/// (tests/oracle).
inline double answerTolerance(const std::string &type) { return type == "f32" ? 1e-5 : 1e-12; }

/// Of numbers of any magnitude; infinite where their signs differ, or one alone is 0 or no number.
inline double relativeError(const ScaledNumber &found, const ScaledNumber &right) {
  if (found.sign() != right.sign() || std::isnan(found.mantissa))
    return std::numeric_limits<double>::infinity();
  if (right.sign() == 0)
    return 0;
  const auto apart = std::clamp<int64_t>(found.exponent - right.exponent, -1000, 1000);
  return std::abs(std::ldexp(found.mantissa / right.mantissa, static_cast<int>(apart)) - 1);
}

/// Answers that were held against right ones.
struct ComparedAnswers {
  uint32_t rows = 0;
  double largestError = 0; ///< relative
  std::string at;          ///< where that is, and both numbers

  /// `where` makes the text of the place, if it is kept.
  template <class Where>
  void add(const ScaledNumber &found, const ScaledNumber &right, const Where &where) {
    const double error = relativeError(found, right);
    if (!(error > largestError))
      return;
    largestError = error;
    at = fmt::format("{}: ln {} instead of {}", where(), found.ln(), right.ln());
  }
  /// Throws Error(Verification) where one is further off than `type` allows.
  void require(const std::string &type) const {
    const double tolerance = answerTolerance(type);
    if (!(largestError <= tolerance))
      fail(ErrorKind::Verification, "{}, a relative error of {:.3g}, {} allows {:g}", at,
           largestError, type, tolerance);
  }
};

} // namespace mpf::bench
