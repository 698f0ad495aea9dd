#include "runtime/schedule/launches/range_bounds.h"

#include "codegen/bundle/chain_tables.h"
#include "dsl/support/counts.h"

#include <algorithm>

namespace mpf {

namespace {

/// Returns the number of binades that a product may span: the sum of the spans of its factors.
int64_t spreadOf(const std::vector<TableState> &operands) {
  int64_t spread = 0;
  for (const TableState &state : operands)
    if (!state.allZero())
      spread += int64_t{state.maxExponent} + 1 - state.minExponent;
  return spread;
}

/// Returns the least exponent of an entry. Relative to the shift, a product lies in [-spread, 0],
/// and a sum of positive products no lower.
int32_t leastExponent(int64_t spread) {
  return static_cast<int32_t>(std::max<int64_t>(-spread - 1, -(1 << 20)));
}

class Bounds {
public:
  Bounds(const Bundle &bundle, const std::vector<TableState> &inputStates)
      : bundle_(bundle), bounds_(bundle.buffers.size()) {
    for (const BundleInput &input : bundle.inputs)
      bounds_[input.buffer.index()] = inputStates[input.buffer.index()];
  }

  bool takeOperation(const BundleOperation &operation) {
    std::vector<TableState> operands;
    for (const BundleAccess &access : operation.operands)
      operands.push_back(bounds_[access.buffer.index()]);
    const int32_t terms = operation.termsLog2();
    const bool plain = addsPlainValues(operation.semiring);
    const bool exact =
        plain || (!bundle_.forcedLog && linearIsExact(operands, terms, bundle_.type));
    TableState &result = bounds_[operation.result.buffer.index()];
    result.minExponent = leastExponent(spreadOf(operands));
    result.maxExponent = terms;
    const bool bounded =
        exact && !(bundle_.signedValues && operation.semiring.reduce == Reduce::Sum);
    // Slices have different scales, whose distance is not known in advance.
    result.form = (bounded && !operation.accumulates) || plain ? 0 : 1;
    return exact;
  }

  /// Takes a chain, after its operations. Bounds its result for both ways to run it.
  bool takeChain(const BundleChain &chain) {
    std::vector<TableState> operands;
    for (const BundleAccess *access : chainOperands(bundle_, chain))
      operands.push_back(bounds_[access->buffer.index()]);
    const int32_t terms = termsLog2(bundle_, chain);
    TableState &result = bounds_[chainResult(bundle_, chain).buffer.index()];
    result.minExponent = std::min(result.minExponent, leastExponent(spreadOf(operands)));
    result.maxExponent = std::max(result.maxExponent, terms);
    const bool plain = addsPlainValues(bundle_.operations[chain.first].semiring);
    return plain || (!bundle_.forcedLog && linearIsExact(operands, terms, bundle_.type));
  }

private:
  const Bundle &bundle_;
  std::vector<TableState> bounds_; ///< by buffer
};

/// Returns, for programs of whole numbers, which operations cannot overflow.
std::vector<bool> provablyFitting(const Bundle &bundle, std::vector<TableState> bounds) {
  std::vector<bool> proven;
  for (const BundleOperation &operation : bundle.operations) {
    std::vector<TableState> operands;
    for (const BundleAccess &access : operation.operands)
      operands.push_back(bounds[access.buffer.index()]);
    const bool plus = operation.semiring.combine == Combine::Plus;
    const int32_t terms = operation.termsLog2();
    proven.push_back(integersCannotOverflow(operands, plus, terms, bundle.type));
    // Results without proof, and sums over slices, may have any value.
    const bool known = proven.back() && !operation.accumulates;
    const int64_t bits =
        known ? integerBitsBound(operands, plus, terms) : int64_t{integerBits(bundle.type)} + 1;
    bounds[operation.result.buffer.index()] = {0, 0, static_cast<int32_t>(bits) - 1, 0};
  }
  return proven;
}

} // namespace

int32_t termsLog2(const Bundle &bundle, const BundleChain &chain) {
  uint64_t terms = 1;
  for (uint32_t step = 0; step < chain.count; ++step)
    terms = saturatingMul(terms, bundle.operations[chain.first + step].reducedAddresses());
  return addsTerms(bundle.operations[chain.first].semiring) ? ceilLog2(terms) : 0;
}

ProvenRanges provablyLinear(const Bundle &bundle, const std::vector<TableState> &inputStates) {
  if (isIntegerType(bundle.type)) // verifyChains: no chains
    return {provablyFitting(bundle, inputStates), {}};
  Bounds bounds(bundle, inputStates);
  ProvenRanges proven;
  size_t next = 0; // chain
  for (uint32_t i = 0; i < bundle.operations.size(); ++i) {
    proven.operations.push_back(bounds.takeOperation(bundle.operations[i]));
    if (next < bundle.chains.size() &&
        bundle.chains[next].first + bundle.chains[next].count == i + 1)
      proven.chains.push_back(bounds.takeChain(bundle.chains[next++]));
  }
  return proven;
}

} // namespace mpf
