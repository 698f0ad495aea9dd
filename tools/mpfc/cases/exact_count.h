// Counts in arrays of doubles.
#pragma once

#include "dsl/support/check.h"
#include "dsl/support/integer_value.h"

#include <string>
#include <string_view>

namespace mpf::driver {

/// Throws Error(BadInput) for a count of table `name` that a double need not hold exactly.
/// `others`: the formats that hold any count, "CSV and JSON".
inline void requireExactCount(const std::string &name, Uint128 count, std::string_view others) {
  constexpr Uint128 kMostExact = Uint128{1} << 53U;
  if (count > kMostExact)
    fail(ErrorKind::BadInput,
         "{} has the count {}: arrays are of doubles, which hold whole numbers up to 2^53: {} have "
         "any",
         name, count, others);
}

} // namespace mpf::driver
