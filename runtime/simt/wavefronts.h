// Counts how many wavefronts of 128 bytes a warp's request to shared memory takes.
//
// 32 banks serve one 4-byte word each per wavefront; lanes that want the same word share it. A
// request of 4-byte accesses is one phase of 32 lanes; of 8 bytes two phases of 16, and of 16 bytes
// four of 8.
//
// Two phases become one if every active lane i reads the same address as lane i^1, or every active
// lane i the same as lane i^2. The two phases are those of a warp (8 bytes) or of a half warp (16
// bytes). With this rule the sums over all sites equal exactly what Nsight Compute counts on an
// H200 for the pair and triangle buckets
// (tools/mpf-bench/results/2026-11-21-specialised-kernels.md).
#pragma once

#include <array>
#include <cstdint>

namespace mpf::simt {

struct Wavefronts {
  uint64_t taken = 0;
  uint64_t ideal = 0; ///< phases with an active lane: the wavefronts without bank conflicts
};

/// Returns the wavefronts of a request. `lanes` is the mask of active lanes; `bytes` per lane is 4,
/// 8, 16, or less than 4.
Wavefronts wavefrontsOf(uint32_t lanes, const std::array<uintptr_t, 32> &addresses, uint32_t bytes);

} // namespace mpf::simt
