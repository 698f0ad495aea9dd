// Finds faults of an operation that comes from a file. Every stage relies on these rules.
#pragma once

#include "dsl/support/strided_operation.h"

#include <fmt/core.h>
#include <string>

namespace mpf {

/// Returns an empty text if digits and operand count are sound: 1..maxOperands operands, kept
/// digits first, no empty digit, fewer than 2^64 - 1 addresses.
template <class DigitT, class AccessT>
std::string findDigitFault(const StridedOperation<DigitT, AccessT> &operation, size_t maxOperands) {
  if (!isSemiring(operation.semiring))
    return "its combine and reduce do not form a semiring";
  if (operation.operands.empty() || operation.operands.size() > maxOperands)
    return fmt::format("{} operands, an operation has 1 to {}", operation.operands.size(),
                       maxOperands);
  for (size_t d = 0; d < operation.digits.size(); ++d) {
    if (operation.digits[d].extent == 0)
      return fmt::format("digit {} has extent 0", d);
    if (d > 0 && operation.digits[d - 1].reduced && !operation.digits[d].reduced)
      return fmt::format("kept digit {} after a reduced one", d);
  }
  if (operation.addresses() == UINT64_MAX)
    return "the bucket has more than 2^64 addresses";
  return {};
}

/// Whether the places of an access, sorted by stride, are those of a mixed-radix number with
/// `sizeElems` values.
template <class DigitT>
bool isMixedRadix(const std::vector<DigitT> &digits, const std::vector<uint64_t> &strides,
                  uint64_t sizeElems) {
  size_t places = 0;
  for (size_t d = 0; d < digits.size(); ++d)
    places += strides[d] != 0 && digits[d].extent > 1 ? 1 : 0;
  uint64_t elems = 1;
  for (; places > 0; --places) {
    size_t d = 0;
    while (d < digits.size() && (strides[d] != elems || digits[d].extent <= 1))
      ++d;
    if (d == digits.size())
      return false;
    elems = saturatingMul(elems, digits[d].extent);
  }
  return elems == sizeElems;
}

/// Returns the fault of the access to a result of `sizeElems` entries, which has a stride for each
/// digit. Empty if the operation writes every entry exactly once: sorted by stride, the kept digits
/// are then the places of a mixed-radix number.
template <class DigitT, class AccessT>
std::string findResultFault(const StridedOperation<DigitT, AccessT> &operation,
                            uint64_t sizeElems) {
  const std::vector<uint64_t> &strides = operation.result.stridesElems;
  for (size_t d = 0; d < operation.digits.size(); ++d) {
    const StridedDigit &digit = operation.digits[d];
    if (digit.reduced && strides[d] != 0)
      return fmt::format("reduced digit {} has result stride {}", d, strides[d]);
    if (!digit.reduced && digit.extent > 1 && strides[d] == 0)
      return fmt::format("the result lacks kept digit {}", d);
  }
  if (isMixedRadix(operation.digits, strides, sizeElems))
    return {};
  uint64_t elems = 1;
  for (const auto &[stride, extent] : placesOf(operation.digits, strides)) {
    if (stride != elems)
      return fmt::format("its result has stride {} where {} is due", stride, elems);
    elems = saturatingMul(elems, extent);
  }
  if (elems != sizeElems)
    return fmt::format("the result has {} entries, its kept digits {}", sizeElems, elems);
  return {};
}

} // namespace mpf
