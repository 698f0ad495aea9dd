// The types of arguments of the fake driver of a GPU (fake_cuda.cpp), with the layout of cuda.h.
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

/// CUgraphNodeParams of cuda.h, of a conditional node.
struct ConditionalNode {
  int type, reserved[3];
  uint64_t condition;
  int kind;
  unsigned bodyCount;
  void *bodies; ///< CUgraph *
  char rest[216];
};

} // namespace mpf::fake
