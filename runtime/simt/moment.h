// The time and the thread of an access.
#pragma once

#include <cstdint>

namespace mpf::simt {

/// One CUDA thread at one moment. Two moments of a block are ordered when a barrier lies between
/// them (different epoch), or when both are in one warp and a warp operation lies between them
/// (different warpEpoch).
struct Moment {
  uint32_t block = UINT32_MAX;
  uint32_t thread = 0;
  uint32_t epoch = 0;
  uint32_t warpEpoch = 0;

  bool valid() const { return block != UINT32_MAX; }
};

} // namespace mpf::simt
