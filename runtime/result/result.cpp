#include "runtime/result/result.h"

namespace mpf {

ScaledNumber ResultTable::at(size_t i) const {
  if (!logEntries)
    return ScaledNumber::fromValue(entries[i], exponent);
  return ScaledNumber::fromLog2(entries[i], exponent, signs.empty() ? 1 : signs[i]);
}

} // namespace mpf
