// The offsets of a small operation, listed once per session: one list for its kept addresses and
// one for its terms. A run then has no digits to count.
#pragma once

#include "runtime/execute/host/digit_loop.h"

#include <vector>

namespace mpf {

/// Listed addresses of some digits; the other digits are looped over.
struct EntryList {
  static constexpr uint64_t kMostAddresses = 64; ///< most listed addresses, to bound memory

  std::vector<LoopDigit> outer; ///< slower digits; usually none
  /// The offsets of slots 0..slots-1 for each of `count` addresses.
  std::vector<uint32_t> offsets;
  uint32_t count = 1;

  /// Lists the addresses of the fastest of `digits`, as many as kMostAddresses allows.
  static EntryList of(std::span<const LoopDigit> digits, size_t slots);
};

struct EntryLists {
  EntryList kept;    ///< slots: operands and the result
  EntryList reduced; ///< slots: operands
};

} // namespace mpf
