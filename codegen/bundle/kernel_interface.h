// The properties of kernels that a launch needs besides their signature
// (codegen/emit/emit_cuda.h).
#pragma once

#include <string_view>

namespace mpf {

/// The place where a launch waits for earlier launches, which may still run when it starts.
enum class WaitPoint {
  Begin,  ///< before its loads: earlier launches may write its operands
  Stores, ///< before its stores: earlier launches may read or write the memory of its result
  End,    ///< earlier launches neither write its operands nor touch its result
};

/// Bits of the last parameter of emitted kernels, as in preamble/mpf_device.cuh.
inline constexpr int kRunAlways = 0;
inline constexpr int kRunIfExact = 1; ///< linear: if linear arithmetic is exact; log: if it is not
inline constexpr int kWaitBeforeStores = 2;
inline constexpr int kWaitAtEnd = 4;
/// Returns the bits of a wait point. Precondition: the kernel waits by itself (startsByWaiting).
inline int waitBits(WaitPoint wait) {
  return wait == WaitPoint::Begin ? 0 : wait == WaitPoint::Stores ? kWaitBeforeStores : kWaitAtEnd;
}

/// Whether the kernels of a source wait for earlier launches by themselves. All kernels must wait
/// at their begin, or all at the place that their last parameter selects. False for texts of users
/// or earlier versions: they must not start while the launch before them still runs.
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
