// Tolerances for answers to cases.
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

/// Returns the accepted relative error of answers in "f32" or "f64": that of the tests
/// (tests/oracle).
inline double answerTolerance(const std::string &type) { return type == "f32" ? 1e-5 : 1e-12; }

/// Returns the relative error of a number of any magnitude. It is infinite if the signs differ, if
/// only one number is 0, or if `found` is NaN.
inline double relativeError(const ScaledNumber &found, const ScaledNumber &right) {
  if (found.sign() != right.sign() || std::isnan(found.mantissa))
    return std::numeric_limits<double>::infinity();
  if (right.sign() == 0)
    return 0;
  const auto apart = std::clamp<int64_t>(found.exponent - right.exponent, -1000, 1000);
  return std::abs(std::ldexp(found.mantissa / right.mantissa, static_cast<int>(apart)) - 1);
}

/// The result of comparing answers with right ones.
struct ComparedAnswers {
  uint32_t rows = 0;
  double largestError = 0; ///< largest relative error
  std::string at;          ///< place of the largest error, and both numbers

  /// `where` makes the text of the place, if it is kept.
  template <class Where>
  void add(const ScaledNumber &found, const ScaledNumber &right, const Where &where) {
    const double error = relativeError(found, right);
    if (!(error > largestError))
      return;
    largestError = error;
    at = fmt::format("{}: ln {} instead of {}", where(), found.ln(), right.ln());
  }
  /// Throws Error(Verification) if the largest error exceeds the tolerance of `type`.
  void require(const std::string &type) const {
    const double tolerance = answerTolerance(type);
    if (!(largestError <= tolerance))
      fail(ErrorKind::Verification, "{}, a relative error of {:.3g}, {} allows {:g}", at,
           largestError, type, tolerance);
  }
};

} // namespace mpf::bench
