// STRIDED OPERATION: an operation without its variables. The *bucket address* is a mixed-radix
// number over digits, most significant first (ICS'08 section 5.1.1); each table has its entry at
// the sum of digit value times stride. For every value of the kept digits the operation reduces,
// over the reduced digits, the combined entries of its operands.
//
// The planner's digit form (codegen/kernel/form/digit_form.h) and the bundle's operation
// (codegen/bundle/bundle.h) are strided operations, each with digits and accesses of its own. The
// executors derive theirs from the bundle's: loops of the CPU (prepareLoops), tables of the GPU
// (buildGpuOperationTable).
#pragma once

#include "dsl/support/counts.h"
#include "dsl/support/semiring.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <string>
#include <vector>

namespace mpf {

/// Digit has `uint64_t extent` and `bool reduced`. Access has `std::vector<uint64_t> stridesElems`,
/// one for each digit, 0 where the digit is not in the table's scope.
template <class Digit, class Access> struct StridedOperation {
  Semiring semiring;
  std::vector<Digit> digits; ///< kept ones first
  std::vector<Access> operands;
  Access result;

  /// digits[0..keptCount) are kept, the rest reduced.
  size_t keptCount() const {
    return static_cast<size_t>(
        std::ranges::count_if(digits, [](const Digit &digit) { return !digit.reduced; }));
  }
  /// Entries of the result: the product of the kept extents. Saturates at UINT64_MAX.
  uint64_t keptAddresses() const { return countAddresses(false); }
  /// Terms of each entry: the product of the reduced extents, 1 if there are none. Saturates.
  uint64_t reducedAddresses() const { return countAddresses(true); }
  /// All bucket addresses. Saturates.
  uint64_t addresses() const { return saturatingMul(keptAddresses(), reducedAddresses()); }
  /// The greatest offset that an access reaches, in elements. Saturates.
  uint64_t lastOffset(const Access &access) const {
    uint64_t last = 0;
    for (size_t d = 0; d < digits.size(); ++d)
      last = saturatingAdd(last, saturatingMul(digits[d].extent - 1, access.stridesElems[d]));
    return last;
  }

private:
  uint64_t countAddresses(bool reduced) const {
    uint64_t count = 1;
    for (const Digit &digit : digits)
      if (digit.reduced == reduced)
        count = saturatingMul(count, digit.extent);
    return count;
  }
};

/// What is wrong with the digits and the numbers of strides, in one sentence; empty: nothing. The
/// functions above may be called for what passes.
template <class Digit, class Access>
std::string findDigitFault(const StridedOperation<Digit, Access> &operation) {
  const std::vector<Digit> &digits = operation.digits;
  for (size_t d = 0; d < digits.size(); ++d) {
    if (digits[d].extent == 0)
      return fmt::format("digit {} has extent 0", d);
    if (d > 0 && digits[d - 1].reduced && !digits[d].reduced)
      return fmt::format("kept digit {} after a reduced one", d);
  }
  if (operation.addresses() == UINT64_MAX)
    return "the bucket has more than 2^64 addresses";
  const auto strides = [&digits](const Access &access, const std::string &what) {
    return access.stridesElems.size() == digits.size()
               ? std::string()
               : fmt::format("{} has {} strides for {} digits", what, access.stridesElems.size(),
                             digits.size());
  };
  for (size_t i = 0; i < operation.operands.size(); ++i)
    if (std::string fault = strides(operation.operands[i], fmt::format("operand {}", i));
        !fault.empty())
      return fault;
  return strides(operation.result, "the result");
}

} // namespace mpf
