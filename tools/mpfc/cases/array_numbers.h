// Numbers in arrays of doubles, which hold neither all counts nor all magnitudes.
#pragma once

#include "dsl/support/integer_value.h"
#include "dsl/support/scaled_number.h"
#include "tools/mpfc/cases/number_cell.h"

#include <fmt/format.h>
#include <string>
#include <string_view>

namespace mpf::driver {

/// The greatest count up to which a double holds every count.
inline constexpr Uint128 kMostExactCount = Uint128{1} << 53U;

/// Why an array has no room for a count of table `name` above kMostExactCount. `others`: the
/// formats that hold any count, "CSV and JSON".
inline std::string countBeyondArrays(const std::string &name, Uint128 count,
                                     std::string_view others) {
  return fmt::format("{} has the count {}: arrays are of doubles, which hold whole numbers up to "
                     "2^53: {} have any",
                     name, count, others);
}

/// Why an array has no room for a number of table `name` without ScaledNumber::value.
inline std::string numberBeyondArrays(const std::string &name, const ScaledNumber &number,
                                      std::string_view others) {
  std::string shown;
  appendNumber(number, shown);
  return fmt::format("{} has a number that no double holds, {}: {} have it", name, shown, others);
}

} // namespace mpf::driver
