// An operation as digits and strides: the description that kernels, bundle and executors share.
//
// A *digit* is one place of a mixed-radix address; a table keeps the entry of an address at offset
// = sum over digits of value * stride. An operation visits every address: it combines the operands'
// entries there and reduces them into the result's entry. It has no variables.
//
// Each stage chooses its kind of tables with `AccessT` and adds the members that only it needs.
// DigitForm (codegen/kernel/form/digit_form.h) has tables of a plan, BundleOperation
// (codegen/bundle/bundle.h) has buffers. Executors make loops of it: loopDigit
// (runtime/execute/host/digit_loop.h) for the CPU, buildGpuOperationTable
// (runtime/execute/gpu/tables/gpu_operation_table.h) for a GPU.
#pragma once

#include "dsl/support/counts.h"
#include "dsl/support/semiring.h"

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpf {

struct StridedDigit {
  uint64_t extent = 1;
  bool reduced = false; ///< reduced over; else the result has it

  /// Absorbs `other`, which continues this digit: below (less significant) or above it.
  void absorb(const StridedDigit &other, bool) { extent = saturatingMul(extent, other.extent); }
};

/// An access to one table: the number of entries by which each digit moves it; 0 if the table lacks
/// the digit.
template <class T>
concept StridedAccess = requires(const T &access) {
  { access.stridesElems } -> std::convertible_to<const std::vector<uint64_t> &>;
};

/// Digits in bucket order: kept ones first, most significant first.
template <std::derived_from<StridedDigit> DigitT, StridedAccess AccessT> struct StridedOperation {
  Semiring semiring;
  std::vector<DigitT> digits;
  std::vector<AccessT> operands;
  AccessT result;

  /// Operands and result are *slots*: operand s is slot s, the result is the last one.
  size_t slotCount() const { return operands.size() + 1; }
  const AccessT &slot(size_t s) const { return s < operands.size() ? operands[s] : result; }
  AccessT &slot(size_t s) { return s < operands.size() ? operands[s] : result; }

  size_t keptCount() const { ///< digits[0..keptCount) are kept, the rest reduced
    return static_cast<size_t>(std::count_if(
        digits.begin(), digits.end(), [](const StridedDigit &digit) { return !digit.reduced; }));
  }
  uint64_t keptAddresses() const { return addressesOf(false); }   ///< entries of the result
  uint64_t reducedAddresses() const { return addressesOf(true); } ///< terms of an entry, 1 if none
  uint64_t addresses() const { return saturatingMul(keptAddresses(), reducedAddresses()); }
  /// Returns addresses() for counts beyond 64 bits.
  double addressesApproximately() const {
    double count = 1;
    for (const StridedDigit &digit : digits)
      count *= static_cast<double>(digit.extent);
    return count;
  }
  /// Returns ceil(log2(terms that are added up into one entry)); 0 if terms are compared.
  int32_t termsLog2() const { return addsTerms(semiring) ? ceilLog2(reducedAddresses()) : 0; }

  /// Returns the greatest offset that an access reaches; saturates. Extents are at least 1.
  uint64_t lastOffset(const AccessT &access) const {
    uint64_t last = 0;
    for (size_t d = 0; d < digits.size(); ++d)
      last = saturatingAdd(last, saturatingMul(digits[d].extent - 1, access.stridesElems[d]));
    return last;
  }

private:
  /// Returns the product of the extents of kept or reduced digits; saturates.
  uint64_t addressesOf(bool reduced) const {
    uint64_t count = 1;
    for (const StridedDigit &digit : digits)
      if (digit.reduced == reduced)
        count = saturatingMul(count, digit.extent);
    return count;
  }
};

/// A place of a table's address: a digit that moves the access.
struct StridedPlace {
  uint64_t stride = 0, extent = 1;
  friend auto operator<=>(const StridedPlace &, const StridedPlace &) = default;
};

/// Returns the places of an access, by ascending stride. Leaves out digits of extent 1 and digits
/// that the table lacks.
template <std::derived_from<StridedDigit> DigitT>
std::vector<StridedPlace> placesOf(const std::vector<DigitT> &digits,
                                   const std::vector<uint64_t> &stridesElems) {
  std::vector<StridedPlace> places;
  for (size_t d = 0; d < digits.size(); ++d)
    if (stridesElems[d] != 0 && digits[d].extent > 1)
      places.push_back({stridesElems[d], digits[d].extent});
  std::sort(places.begin(), places.end());
  return places;
}

} // namespace mpf
