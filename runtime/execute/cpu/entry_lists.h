// Where a small operation finds its entries, written out once per session: a list of offsets for
// its kept addresses and one for its terms, so that a run has no digits to count.
#pragma once

#include "runtime/execute/host/digit_loop.h"

#include <vector>

namespace mpf {

/// Some addresses written out; the digits outside of them are looped over.
struct EntryList {
  static constexpr uint64_t kMostAddresses = 64; ///< written out, for their memory

  std::vector<LoopDigit> outer; ///< slower digits; usually none
  /// Of `count` addresses, one after the other: the offsets of slots 0..slots-1.
  std::vector<uint32_t> offsets;
  uint32_t count = 1;

  /// The fastest of `digits` written out, as many as there is room for.
  static EntryList of(std::span<const LoopDigit> digits, size_t slots);
};

struct EntryLists {
  EntryList kept;    ///< operands and the result
  EntryList reduced; ///< operands
};

} // namespace mpf
