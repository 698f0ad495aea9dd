// Numbers that tables hold: doubles, and others with exponents up to kMostWideExponent. One rule
// for all texts says which of these a text spells. It depends on the value alone.
#pragma once

#include "dsl/support/scaled_number.h"

#include <cmath>
#include <limits>
#include <string_view>

namespace mpf {

/// Whether the double is below the normal ones and not 0. A text that was read as such a double
/// spells another number: readTableNumber reads it.
inline bool isBelowNormal(double value) {
  return value != 0 && std::abs(value) < std::numeric_limits<double>::min();
}

/// Returns the nearest finite double, which is 0 only if the number is. Infinite numbers stay.
double nearestFinite(const ScaledNumber &number);

/// A text that should be a number of a table.
struct TableNumber {
  enum class Kind {
    None,   ///< no decimal number: another text, or "inf" or "nan"
    Plain,  ///< 0, or a normal double
    Far,    ///< no normal double holds it, but a table does
    Beyond, ///< its magnitude is above or below all that tables hold
  };
  Kind kind = Kind::None;
  double nearest = 0; ///< Plain: the number; Far: nearestFinite()
  ScaledNumber far{}; ///< Far, Beyond: the number; Beyond: its sign counts, its exponent may differ
};

/// Reads the whole of `text` in the notation of parseDouble.
TableNumber readTableNumber(std::string_view text);

/// Returns "the greatest magnitude is 2^.., the least 2^-..", for messages about Kind::Beyond.
std::string_view tableRangeText();

} // namespace mpf
