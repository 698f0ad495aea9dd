// What a launch has to know of kernels beside their signature (codegen/emit/emit_cuda.h).
#pragma once

#include <cstdint>
#include <string_view>

namespace mpf {

/// When a launch waits for those before it, which may still run when it starts.
enum class WaitPoint {
  Begin,  ///< before it reads: they may write its operands
  Stores, ///< before it stores: they may read or write the memory of its result
  End,    ///< they touch nothing of what it writes, and write nothing of what it reads
};

/// Bits of a kernel's last parameter, as in preamble/mpf_device.cuh.
inline constexpr int kRunIfExact = 1; ///< linear: if linear arithmetic is exact; log: if it is not
/// Only for kernels that wait by themselves.
inline int waitBits(WaitPoint wait) {
  return wait == WaitPoint::Begin ? 0 : wait == WaitPoint::Stores ? 2 : 4;
}

/// Threads of a block of the table-driven kernels, as in their launch bounds.
inline constexpr uint32_t kTableDrivenThreads = 256;

/// How many of them share an output: enough parallelism when outputs are few, one thread each when
/// many. A power of two, at most a block.
inline uint32_t tableDrivenLanes(uint64_t keptAddresses, uint64_t reducedAddresses) {
  // A lane should still have a dozen terms to add, and the device some 10^5 threads in all.
  uint32_t lanes = 1;
  while (lanes < kTableDrivenThreads && keptAddresses < 100000 / lanes &&
         reducedAddresses / (2 * lanes) >= 12)
    lanes *= 2;
  return lanes;
}

/// Whether the kernels of a source wait for the launches before them by themselves. False for texts
/// that somebody else wrote, or that were written before there was such a thing: they must not be
/// started while the launch before them still runs.
inline bool startsByWaiting(std::string_view source) {
  const auto countOf = [source](std::string_view part) {
    size_t count = 0;
    for (size_t at = source.find(part); at != source.npos; at = source.find(part, at + 1))
      ++count;
    return count;
  };
  const size_t kernels = countOf("extern \"C\" __global__ ");
  return kernels > 0 && kernels == countOf("__global__") &&
         kernels == countOf("\n  MPF_GRID_BEGIN(");
}

} // namespace mpf
