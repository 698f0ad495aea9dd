#include "runtime/execute/range_bounds.h"

#include "dsl/support/counts.h"

#include <bit>

namespace mpf {

int32_t termsLog2(const BundleOperation &operation) {
  if (operation.semiring.reduce != Reduce::Sum)
    return 0;
  uint64_t terms = 1;
  for (const BundleDigit &digit : operation.digits)
    if (digit.reduced)
      terms = saturatingMul(terms, digit.extent);
  return static_cast<int32_t>(std::bit_width(terms - (terms > 0 ? 1 : 0)));
}

namespace {

/// Whole numbers: which operations cannot overflow, whatever is in the tables.
std::vector<bool> provablyFitting(const Bundle &bundle, std::vector<TableState> bounds) {
  std::vector<bool> proven;
  for (const BundleOperation &operation : bundle.operations) {
    std::vector<TableState> operands;
    for (const BundleAccess &access : operation.operands)
      operands.push_back(bounds[access.buffer.index()]);
    const bool plus = operation.semiring.combine == Combine::Plus;
    const int32_t terms = termsLog2(operation);
    proven.push_back(wholeCannotOverflow(operands, plus, terms, bundle.type));
    // Of what is not proven, and of sums over slices, nothing is known.
    const bool known = proven.back() && !operation.accumulates;
    const int64_t bits =
        known ? wholeBitsBound(operands, plus, terms) : int64_t{wholeBits(bundle.type)} + 1;
    bounds[operation.result.buffer.index()] = {0, 0, static_cast<int32_t>(bits) - 1, 0};
  }
  return proven;
}

} // namespace

std::vector<bool> provablyLinear(const Bundle &bundle, const std::vector<TableState> &inputStates) {
  std::vector<TableState> bounds(bundle.buffers.size());
  std::vector<bool> proven;
  if (isWholeType(bundle.type))
    return provablyFitting(bundle, inputStates);
  for (const BundleInput &input : bundle.inputs)
    bounds[input.buffer.index()] = inputStates[input.buffer.index()];
  for (const BundleOperation &operation : bundle.operations) {
    std::vector<TableState> operands;
    int64_t spread = 0;
    for (const BundleAccess &access : operation.operands) {
      operands.push_back(bounds[access.buffer.index()]);
      if (!operands.back().allZero())
        spread += int64_t{operands.back().maxExponent} + 1 - operands.back().minExponent;
    }
    const int32_t terms = termsLog2(operation);
    const bool plain = operation.semiring.combine == Combine::Plus;
    const bool exact = plain || (!bundle.forcedLog && linearIsExact(operands, terms, bundle.type));
    proven.push_back(exact);
    TableState &result = bounds[operation.result.buffer.index()];
    // Relative to the shift, a product lies in [-spread, 0]; a sum of positive ones no lower.
    result.minExponent = static_cast<int32_t>(std::max<int64_t>(-spread - 1, -(1 << 20)));
    result.maxExponent = terms;
    const bool bounded =
        exact && !(bundle.signedValues && operation.semiring.reduce == Reduce::Sum);
    // Slices have scales of their own: how far apart is not known beforehand.
    result.form = (bounded && !operation.accumulates) || plain ? 0 : 1;
  }
  return proven;
}

} // namespace mpf
