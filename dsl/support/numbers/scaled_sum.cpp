#include "dsl/support/numbers/scaled_sum.h"

#include <algorithm>
#include <cmath>

namespace mpf {

ScaledNumber scaledSum(const StoredValues &values, uint64_t first, uint64_t count) {
  double sum = 0;
  for (uint64_t i = first; i < first + count && !values.isWide(); ++i)
    sum += values.mantissa(i);
  if (std::isnormal(sum)) [[likely]]
    return ScaledNumber::fromValue(sum);
  constexpr int64_t kLost = -2000; // 2^kLost is 0 in doubles
  int64_t top = INT64_MIN;
  for (uint64_t i = first; i < first + count; ++i)
    if (const ScaledNumber value = values.at(i); value.mantissa != 0)
      top = std::max(top, value.exponent);
  sum = 0; // in units of 2^top
  for (uint64_t i = first; i < first + count; ++i)
    if (const ScaledNumber value = values.at(i); value.mantissa != 0)
      sum += std::ldexp(value.mantissa, static_cast<int>(std::max(value.exponent - top, kLost)));
  return ScaledNumber::fromValue(sum, top);
}

ScaledNumber scaledQuotient(const ScaledNumber &a, const ScaledNumber &b) {
  return ScaledNumber::fromValue(a.mantissa / b.mantissa, a.exponent - b.exponent);
}

} // namespace mpf
