#include "runtime/execute/sum_exponent.h"

#include "codegen/bundle/table_state.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace mpf {

namespace {

/// Costs of f32 whose greatest is below 2^this are scaled up: others lose what is below 2^-126.
constexpr int32_t kLeastGreatestF32 = -64;

} // namespace

std::optional<int32_t> greatestExponent(std::span<const double> values) {
  double greatest = 0;
  for (const double value : values)
    if (std::isfinite(value))
      greatest = std::max(greatest, std::abs(value));
  if (greatest == 0)
    return std::nullopt;
  return std::ilogb(greatest);
}

int32_t sumExponent(ElementType type, std::span<const std::optional<int32_t>> greatestOfInputs) {
  std::optional<int32_t> greatest;
  uint64_t terms = 0;
  for (const std::optional<int32_t> &exponent : greatestOfInputs)
    if (exponent) {
      greatest = std::max(greatest.value_or(*exponent), *exponent);
      ++terms;
    }
  if (!greatest)
    return 0;
  // Every partial sum is below terms * 2^(greatest + 1).
  const int32_t needed = *greatest + 1 + static_cast<int32_t>(std::bit_width(terms - 1));
  const int32_t room = exponentRange(type).greatest;
  const bool tooSmall = type == ElementType::F32 && *greatest < kLeastGreatestF32;
  return needed > room || tooSmall ? needed - room : 0;
}

} // namespace mpf
