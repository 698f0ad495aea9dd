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

/// Bits of a kernel's last parameter, as in preamble/mpf_device.cuh.
inline constexpr int kRunIfExact = 1; ///< linear: if linear arithmetic is exact; log: if it is not
/// Only for kernels that wait by themselves.
inline int waitBits(WaitPoint wait) {
  return wait == WaitPoint::Begin ? 0 : wait == WaitPoint::Stores ? 2 : 4;
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
