// The number of cases of each block of a list. The first block is small, so that the first answers
// come soon. Each further block is twice as large, up to the size for which handing on a block
// costs nothing.
#pragma once

#include <algorithm>
#include <cstdint>

namespace mpf::driver {

struct BlockSizes {
  uint32_t firstCases = 1; ///< of block 0; at least 1, at most usualCases
  uint32_t usualCases = 1; ///< of most blocks

  uint32_t casesOf(uint64_t number) const {
    // 2^32 times as many as in the first are more than any block has.
    const uint64_t doubled = uint64_t{firstCases} << std::min<uint64_t>(number, 32);
    return static_cast<uint32_t>(std::min<uint64_t>(doubled, usualCases));
  }

  /// Returns the number of the first case of block `number`.
  uint64_t firstCaseOf(uint64_t number) const {
    uint64_t cases = 0, n = 0;
    for (; n < number && casesOf(n) < usualCases; ++n)
      cases += casesOf(n);
    return cases + (number - n) * usualCases;
  }
};

} // namespace mpf::driver
