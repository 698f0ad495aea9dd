// Merges digits that no table distinguishes: fewer digits give the same addresses.
//
// `accesses` below is a range of pointers to accesses (StridedAccess), all over `digits`.
#pragma once

#include "dsl/support/strided_operation.h"

#include <cstddef>
#include <ranges>
#include <vector>

namespace mpf {

/// Whether digit `low` continues digit `high` at its less significant end in every table.
template <class DigitT, class Accesses>
bool continuesInAll(const std::vector<DigitT> &digits, const Accesses &accesses, size_t high,
                    size_t low) {
  for (const auto *access : accesses)
    if (access->stridesElems[high] != saturatingMul(access->stridesElems[low], digits[low].extent))
      return false;
  return true;
}

/// Takes digit `gone` out of digits and accesses; later ones move up.
template <class DigitT, class Accesses>
void removeDigit(std::vector<DigitT> &digits, const Accesses &accesses, size_t gone) {
  digits.erase(digits.begin() + static_cast<ptrdiff_t>(gone));
  for (auto *access : accesses)
    access->stridesElems.erase(access->stridesElems.begin() + static_cast<ptrdiff_t>(gone));
}

/// Makes digit `gone` a part of digit `into`, which it continues below or above.
template <class DigitT, class Accesses>
void fuseDigits(std::vector<DigitT> &digits, const Accesses &accesses, size_t into, size_t gone,
                bool below) {
  digits[into].absorb(digits[gone], below);
  if (below)
    for (auto *access : accesses)
      access->stridesElems[into] = access->stridesElems[gone];
  removeDigit(digits, accesses, gone);
}

/// Returns the operands, then the result.
template <class Operation> auto allSlots(Operation &operation) {
  return std::views::iota(size_t{0}, operation.slotCount()) |
         std::views::transform([&operation](size_t s) { return &operation.slot(s); });
}

/// Whether dropSingleDigits() and mergeDigits() would change nothing.
template <class DigitT, class AccessT>
bool hasMergedDigits(const StridedOperation<DigitT, AccessT> &operation) {
  const std::vector<DigitT> &digits = operation.digits;
  const auto slots = allSlots(operation);
  for (size_t b = 0; b < digits.size(); ++b) {
    if (digits[b].extent == 1)
      return false;
    for (size_t a = 0; a < b; ++a)
      if (digits[a].reduced == digits[b].reduced &&
          (continuesInAll(digits, slots, a, b) || continuesInAll(digits, slots, b, a)))
        return false;
  }
  return true;
}

/// Removes digits of extent 1, which change no address.
template <class DigitT, class AccessT>
void dropSingleDigits(StridedOperation<DigitT, AccessT> &operation) {
  const auto slots = allSlots(operation);
  for (size_t d = operation.digits.size(); d-- > 0;)
    if (operation.digits[d].extent == 1)
      removeDigit(operation.digits, slots, d);
}

/// Merges kept digits, and reduced ones, that continue each other in every table. Either may come
/// first in the bucket address: kept digits do not depend on their order there, nor do reduced
/// ones.
template <class DigitT, class AccessT>
void mergeDigits(StridedOperation<DigitT, AccessT> &operation) {
  std::vector<DigitT> &digits = operation.digits;
  const auto slots = allSlots(operation);
  const auto continues = [&](size_t high, size_t low) {
    return digits[high].reduced == digits[low].reduced && continuesInAll(digits, slots, high, low);
  };
  for (size_t b = 1; b < digits.size();) {
    // Digits that touch in every table may be apart in the bucket address, hence all a < b.
    size_t a = b;
    bool below = false, above = false; // where b continues a
    while (!below && !above && a-- > 0) {
      below = continues(a, b);
      above = !below && continues(b, a);
    }
    if (!below && !above) {
      ++b;
      continue;
    }
    fuseDigits(digits, slots, a, b, below);
    b = std::max<size_t>(a, 1); // the merged digit may now continue an earlier one
  }
}

} // namespace mpf
