// What the driver of a GPU that is not there (fake_cuda.cpp) is given, as cuda.h has it.
#pragma once

#include <cstdint>

namespace mpf::fake {

/// CUlaunchAttribute and CUlaunchConfig of cuda.h.
struct LaunchAttribute {
  unsigned id;
  char rest[68];
};
struct LaunchConfig {
  unsigned grid[3], block[3], sharedBytes;
  void *stream;
  const LaunchAttribute *attributes;
  unsigned attributeCount;
};

} // namespace mpf::fake
