#include "tests/oracle/brute/count_brute_force.h"

namespace mpf::oracle {

namespace {

/// Every address of an operation, kept digits outermost.
class Addresses {
public:
  explicit Addresses(const BundleOperation &operation)
      : operation_(operation), values_(operation.digits.size(), 0) {}

  uint64_t offset(const BundleAccess &access) const {
    uint64_t offset = 0;
    for (size_t d = 0; d < values_.size(); ++d)
      offset += values_[d] * access.stridesElems[d];
    return offset;
  }
  bool next() {
    for (size_t d = values_.size(); d-- > 0;) {
      if (++values_[d] < operation_.digits[d].extent)
        return true;
      values_[d] = 0;
    }
    return false;
  }

private:
  const BundleOperation &operation_;
  std::vector<uint64_t> values_;
};

std::vector<BigCount> countOperation(const Bundle &bundle, const BundleOperation &operation,
                                     const std::vector<std::vector<BigCount>> &tables) {
  std::vector<std::optional<BigCount>> entries(bundle.buffer(operation.result.buffer).sizeElems);
  const bool plus = operation.semiring.combine == Combine::Plus;
  Addresses addresses(operation);
  do {
    BigCount term(plus ? 0 : 1);
    for (const BundleAccess &operand : operation.operands) {
      const BigCount &entry = tables[operand.buffer.index()][addresses.offset(operand)];
      term = plus ? term + entry : term * entry;
    }
    std::optional<BigCount> &entry = entries[addresses.offset(operation.result)];
    const Reduce reduce = operation.semiring.reduce;
    if (!entry)
      entry = term;
    else if (reduce == Reduce::Sum)
      entry = *entry + term;
    else if (reduce == Reduce::Max ? *entry < term : term < *entry)
      entry = term;
  } while (addresses.next());
  std::vector<BigCount> counts;
  for (const std::optional<BigCount> &entry : entries)
    counts.push_back(entry.value());
  return counts;
}

} // namespace

ExpectedCounts countByBruteForce(const Bundle &bundle) {
  ExpectedCounts expected;
  expected.tables.resize(bundle.buffers.size());
  for (const BundleInput &input : bundle.inputs)
    for (const double value : *bundle.tables[input.table.value()])
      expected.tables[input.buffer.index()].emplace_back(static_cast<Uint128>(value));
  for (const BundleOperation &operation : bundle.operations) {
    std::vector<BigCount> &result = expected.tables[operation.result.buffer.index()];
    result = countOperation(bundle, operation, expected.tables);
    for (const BigCount &entry : result)
      if (!entry.fits(integerBits(bundle.type))) {
        expected.lost = operation.name;
        return expected;
      }
  }
  return expected;
}

} // namespace mpf::oracle
