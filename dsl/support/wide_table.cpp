#include "dsl/support/wide_table.h"

#include <cmath>

namespace mpf {

namespace {

void put(const ScaledNumber &number, uint64_t i, std::vector<double> &stored) {
  stored[i] = number.mantissa;
  stored[stored.size() / 2 + i] = static_cast<double>(number.exponent);
}

} // namespace

std::vector<double> widened(std::span<const double> values, std::span<const FarValue> far) {
  std::vector<double> stored(2 * values.size());
  for (uint64_t i = 0; i < values.size(); ++i)
    put(ScaledNumber::fromValue(values[i]), i, stored);
  for (const FarValue &one : far)
    put(one.value, one.index, stored);
  return stored;
}

std::vector<double> widened(std::span<const ScaledNumber> values) {
  std::vector<double> stored(2 * values.size());
  for (uint64_t i = 0; i < values.size(); ++i)
    put(values[i], i, stored);
  return stored;
}

bool isWideTable(std::span<const double> stored) {
  const uint64_t elems = stored.size() / 2;
  for (uint64_t i = 0; i < elems; ++i) {
    const double mantissa = std::abs(stored[i]), exponent = stored[elems + i];
    const bool hasExponent = mantissa >= 1 && mantissa < 2;
    if (!(hasExponent || mantissa == 0 || std::isinf(mantissa)) ||
        exponent != std::floor(exponent) ||
        !(std::abs(exponent) <= (hasExponent ? static_cast<double>(kMostWideExponent) : 0)))
      return false;
  }
  return true;
}

} // namespace mpf
