// The words of four bytes that some lanes of a warp's request access, in ascending order.
#pragma once

#include "dsl/support/check.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace mpf::simt {

class LaneWords {
public:
  static constexpr unsigned kLanes = 32, kWordBytes = 4;
  /// Takes the words of those of the lanes [first, last) that are in the mask `lanes`.
  LaneWords(uint32_t lanes, const std::array<uintptr_t, kLanes> &addresses, uint32_t bytes,
            unsigned first, unsigned last) {
    MPF_CHECK(bytes <= kMostBytes, "a lane accesses {} bytes, at most {}", bytes, kMostBytes);
    for (unsigned lane = first; lane < last; ++lane)
      for (uint32_t byte = 0; (lanes >> lane & 1) != 0 && byte < bytes; byte += kWordBytes)
        *end_++ = (addresses[lane] + byte) / kWordBytes;
    if (!std::is_sorted(words_.begin(), end_)) // addresses of most requests ascend
      std::sort(words_.begin(), end_);
  }
  LaneWords(const LaneWords &) = delete;
  LaneWords &operator=(const LaneWords &) = delete;

  /// Calls `see(n)` once for each number n = word / divisor.
  template <typename See> void eachQuotient(uintptr_t divisor, See see) const {
    for (auto at = words_.begin(); at != end_; ++at)
      if (at == words_.begin() || at[0] / divisor != at[-1] / divisor)
        see(*at / divisor);
  }

private:
  static constexpr unsigned kMostBytes = 16;
  using Words = std::array<uintptr_t, kLanes * kMostBytes / kWordBytes>;
  Words words_; ///< set up to `end_`
  Words::iterator end_ = words_.begin();
};

} // namespace mpf::simt
