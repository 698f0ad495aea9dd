// Numbers of an answer that doubles do not hold.
#pragma once

#include "dsl/support/scaled_number.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace mpf::python {

/// Returns the greatest finite magnitude of `size` numbers, if normal doubles do not hold it: then
/// the numbers as doubles are infinite, all 0, or have few digits. Smaller numbers beside one that
/// doubles hold become 0, as in any sum. `at`: returns the number at a place.
template <class At> std::optional<ScaledNumber> beyondDoubles(size_t size, At at) {
  ScaledNumber greatest;
  for (size_t e = 0; e < size; ++e) {
    ScaledNumber number = at(e);
    number.mantissa = std::abs(number.mantissa);
    if (number.mantissa == 0 || !std::isfinite(number.mantissa))
      continue;
    if (greatest.mantissa == 0 || std::pair(number.exponent, number.mantissa) >
                                      std::pair(greatest.exponent, greatest.mantissa))
      greatest = number;
  }
  return greatest.value() ? std::nullopt : std::optional(greatest);
}

} // namespace mpf::python
