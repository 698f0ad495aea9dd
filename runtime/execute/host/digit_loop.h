// Loops over mixed-radix addresses: one offset per table, kept up to date by additions only.
//
// A *slot* is a table of an operation: slots 0..m-1 are the operands, slot m is the result.
// Offsets and strides count elements.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_map.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

inline constexpr size_t kMaxSlots = kMaxBundleOperands + 1;

struct LoopDigit {
  uint64_t extent = 1;
  std::array<uint64_t, kMaxSlots> strides{}; ///< one per slot, 0 where the table lacks the digit
  friend bool operator==(const LoopDigit &, const LoopDigit &) = default;
};

/// Returns digit `digit` of an operation; slot m of `strides` is the result's, for m operands.
LoopDigit loopDigit(const BundleOperation &operation, size_t digit);

/// Returns the digits as loop digits; slot 0 of `strides` is the other table's.
std::vector<LoopDigit> loopDigits(std::span<const MapDigit> digits);

/// Returns the digit that counts `extent` pieces of `digit`, each of `step` values.
LoopDigit piecesOf(LoopDigit digit, uint64_t extent, uint64_t step);

/// Returns the number of addresses that a loop over `digits` visits.
inline uint64_t addressCount(std::span<const LoopDigit> digits) {
  uint64_t count = 1;
  for (const LoopDigit &digit : digits)
    count *= digit.extent;
  return count;
}

/// Returns the number of entries of `slot` that a loop over `digits` visits.
inline uint64_t entriesAlong(std::span<const LoopDigit> digits, size_t slot) {
  uint64_t count = 1;
  for (const LoopDigit &digit : digits)
    count *= digit.strides[slot] != 0 ? digit.extent : 1;
  return count;
}

/// An odometer over `digits`, the last one fastest. The span must outlive the loop.
class DigitLoop {
public:
  DigitLoop(std::span<const LoopDigit> digits, size_t slots) : digits_(digits), slots_(slots) {}

  /// Moves to address `index` (0 <= index < addressCount).
  void seek(uint64_t index) {
    offsets_ = {};
    for (size_t d = digits_.size(); d-- > 0;) {
      values_[d] = index % digits_[d].extent;
      index /= digits_[d].extent;
      for (size_t s = 0; s < slots_; ++s)
        offsets_[s] += values_[d] * digits_[d].strides[s];
    }
  }

  /// Moves to the next address. Returns false, back at address 0, after the last one.
  bool next() {
    for (size_t d = digits_.size(); d-- > 0;) {
      const LoopDigit &digit = digits_[d];
      if (++values_[d] < digit.extent) {
        for (size_t s = 0; s < slots_; ++s)
          offsets_[s] += digit.strides[s];
        return true;
      }
      values_[d] = 0;
      for (size_t s = 0; s < slots_; ++s)
        offsets_[s] -= (digit.extent - 1) * digit.strides[s];
    }
    return false;
  }

  uint64_t offset(size_t slot) const { return offsets_[slot]; }
  /// Returns the value of the fastest digit. Only for loops with at least one digit.
  uint64_t fastest() const { return values_[digits_.size() - 1]; }
  uint64_t value(size_t digit) const { return values_[digit]; }

private:
  std::span<const LoopDigit> digits_;
  size_t slots_;
  std::array<uint64_t, kMaxSlots> offsets_{};
  std::array<uint64_t, kMaxBundleDigits + 1> values_{};
};

/// The first addresses of `digits`, as far as neighbours have equal distances in `slot`.
struct EvenRun {
  uint64_t step = 0; ///< distance from one address to the next
  uint64_t count = 1;
};
EvenRun evenRun(std::span<const LoopDigit> digits, size_t slot);

/// Writes the offsets of `slot` for all addresses of `digits`.
void fillOffsets(std::span<const LoopDigit> digits, size_t slot, uint64_t *offsets);

} // namespace mpf
