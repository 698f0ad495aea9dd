#include "runtime/engine/tables/case_scale.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

/// Least exponent of entries that are scaled down: normal numbers, with some room. If an entry is
/// below it already, a huge entry beside it stays, because scaling up the former would make the
/// latter infinite.
constexpr int kLeastExponent = -1000;

} // namespace

int32_t scaleDown(std::span<double> entries) {
  int least = INT32_MAX, greatest = INT32_MIN;
  for (const double entry : entries) {
    if (!std::isfinite(entry))
      return 0;
    if (entry == 0)
      continue;
    const int exponent = std::ilogb(entry);
    least = std::min(least, exponent);
    greatest = std::max(greatest, exponent);
  }
  if (least > greatest)
    return 0;
  const int down = std::min(greatest, std::max(least - kLeastExponent, 0));
  if (down != 0)
    for (double &entry : entries)
      entry = std::ldexp(entry, -down);
  return down;
}

void scaleUp(std::span<const int32_t> exponents, std::span<const uint32_t> places,
             CaseAnswers &answers) {
  for (CaseTable &table : answers.tables) {
    if (table.normalised)
      continue;
    for (uint32_t i = 0; i < exponents.size(); ++i) {
      if (exponents[i] == 0)
        continue;
      table.exponents[places[i]] += exponents[i];
      if (const auto apart = table.farApart.find(places[i]); apart != table.farApart.end())
        for (ScaledNumber &number : apart->second)
          number.exponent += number.mantissa == 0 ? 0 : exponents[i];
    }
  }
}

} // namespace mpf
