// The description of a launch for the SIMT checker: its shape, its memory, its arguments.
#pragma once

#include "codegen/emit/nest/site.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mpf::simt {

/// Global memory of one kernel argument. The checker copies it into memory with forbidden zones
/// around it.
struct Buffer {
  std::string name;
  std::span<std::byte> contents; ///< written back after the run
  bool holdsBytes = false;       ///< neighbouring threads may store single bytes
  bool isReadOnly = false;       ///< an operand: a store into it is a fault
  /// True if no launch writes it. It may then be read while earlier launches still run, and a store
  /// into it is a fault.
  bool isConstant = false;
};

/// A 64-bit word in a buffer that holds an offset into another buffer. The checker replaces the
/// offset by an address before the kernel runs.
struct PointerPlace {
  size_t buffer = 0;
  uint64_t offsetBytes = 0;
  size_t target = 0;
};

struct Launch {
  uint64_t gridBlocks = 1;
  std::vector<uint32_t> onlyBlocks; ///< the blocks of the grid to run; empty: all
  /// True if all blocks are resident at once and may wait for each other. They must be few, because
  /// each takes memory.
  bool isCooperative = false;
  uint32_t blockThreads = 1;
  uint32_t sharedBytes = 0;
  std::vector<SharedArray> sharedArrays; ///< a site named after one may touch only it
  /// Site number -> name of the array or buffer that it may touch; "" = any.
  std::vector<std::string> siteObjects;
  std::vector<PointerPlace> pointers;
  /// The steps of all threads after which the launch counts as endless. A loop iteration is one
  /// step; an access or a meeting of threads is several (block_runner.cpp). So many steps take some
  /// 10 s.
  uint64_t mostSteps = uint64_t{1} << 31;
};

/// One argument of the kernel: a buffer (pointer) or an int.
struct Argument {
  static Argument buffer(size_t index) { return {true, static_cast<int>(index)}; }
  static Argument number(int value) { return {false, value}; }
  bool pointer = false;
  int value = 0; ///< index into the buffers, or the int
};

} // namespace mpf::simt
