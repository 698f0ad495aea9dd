// What a launch has to know of kernels beside their signature (codegen/emit/emit_cuda.h).
#pragma once

#include <string_view>

namespace mpf {

/// When a launch waits for those before it, which may still run when it starts.
enum class WaitPoint {
  Begin,  ///< before it reads: they may write its operands
  Stores, ///< before it stores: they may read or write the memory of its result
  End,    ///< they touch nothing of what it writes, and write nothing of what it reads
};

/// Bits of the last parameter of emitted kernels, as in preamble/mpf_device.cuh.
inline constexpr int kRunAlways = 0;
inline constexpr int kRunIfExact = 1; ///< linear: if linear arithmetic is exact; log: if it is not
inline constexpr int kWaitBeforeStores = 2;
inline constexpr int kWaitAtEnd = 4;
/// Only for kernels that wait by themselves.
inline int waitBits(WaitPoint wait) {
  return wait == WaitPoint::Begin ? 0 : wait == WaitPoint::Stores ? kWaitBeforeStores : kWaitAtEnd;
}

/// Whether the kernels of a source wait for the launches before them by themselves: all of them at
/// once, or all of them when their last parameter says so, to the end. False for texts that
/// somebody else wrote, or an earlier version: they must not be started while the launch before
/// them still runs.
inline bool startsByWaiting(std::string_view source) {
  const auto countOf = [source](std::string_view part) {
    size_t count = 0;
    for (size_t at = source.find(part); at != source.npos; at = source.find(part, at + 1))
      ++count;
    return count;
  };
  const size_t kernels = countOf("extern \"C\" __global__ ");
  if (kernels == 0 || kernels != countOf("__global__"))
    return false;
  return kernels == countOf("\n  MPF_GRID_BEGIN(0);\n") ||
         (kernels == countOf("\n  MPF_GRID_BEGIN(mode);\n") &&
          kernels == countOf("\n  MPF_GRID_END(mode);\n}") &&
          countOf(" MPF_GRID_STORES(mode);\n") >= kernels);
}

} // namespace mpf
