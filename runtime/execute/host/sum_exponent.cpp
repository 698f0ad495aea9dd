#include "runtime/execute/host/sum_exponent.h"

#include "codegen/bundle/table_state.h"
#include "runtime/execute/host/exponent_bits.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace mpf {

namespace {

/// Returns a bound above all magnitudes of all tables, in units of 2^unit. Magnitudes of a result
/// are at most the sum of those of its operands.
double greatestBound(const Bundle &bundle, std::span<const std::optional<int32_t>> greatestOfInputs,
                     int32_t unit) {
  std::vector<double> bounds(bundle.buffers.size(), 0);
  double most = 0;
  for (size_t i = 0; i < greatestOfInputs.size(); ++i)
    if (greatestOfInputs[i])
      bounds[bundle.inputs[i].buffer.index()] = std::ldexp(1, *greatestOfInputs[i] + 1 - unit);
  for (const BundleOperation &operation : bundle.operations) {
    double bound = 0;
    for (const BundleAccess &operand : operation.operands)
      bound += bounds[operand.buffer.index()];
    double &result = bounds[operation.result.buffer.index()];
    result = std::max(operation.accumulates ? result : 0, bound); // the greatest over all slices
    most = std::max(most, result);
  }
  return most;
}

} // namespace

std::optional<int32_t> greatestExponent(const StoredValues &values) {
  std::optional<int32_t> greatest;
  for (uint64_t i = 0; i < values.size(); ++i)
    if (const double value = values.mantissa(i); std::isfinite(value) && value != 0) {
      const auto exponent = static_cast<int32_t>(exponentOf(value) + values.exponent(i));
      greatest = std::max(greatest.value_or(exponent), exponent);
    }
  return greatest;
}

int32_t sumExponent(const Bundle &bundle,
                    std::span<const std::optional<int32_t>> greatestOfInputs) {
  std::optional<int32_t> greatest;
  for (const std::optional<int32_t> &exponent : greatestOfInputs)
    if (exponent)
      greatest = std::max(greatest.value_or(*exponent), *exponent);
  if (!greatest)
    return 0;
  const double most = std::max(1.0, greatestBound(bundle, greatestOfInputs, *greatest + 1));
  const int32_t needed = *greatest + 1 + static_cast<int32_t>(std::ceil(std::log2(most)));
  const int32_t room = exponentRange(bundle.type).greatest;
  // Costs in the lower half of the type's exponent range are scaled up, before the type has few or
  // no digits for them.
  const bool tooSmall = *greatest < -(room + 1) / 2;
  return needed > room || tooSmall ? needed - room : 0;
}

int32_t greatestWithin(const Bundle &bundle, std::vector<std::optional<int32_t>> greatestOfInputs,
                       const std::vector<bool> &unseen, int32_t exponent) {
  int32_t least = 0, above = exponentRange(bundle.type).greatest + 1;
  while (above - least > 1) {
    const int32_t middle = least + (above - least) / 2;
    for (size_t i = 0; i < unseen.size(); ++i)
      if (unseen[i])
        greatestOfInputs[i] = middle;
    (sumExponent(bundle, greatestOfInputs) <= exponent ? least : above) = middle;
  }
  return least;
}

} // namespace mpf
