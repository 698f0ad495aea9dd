// The rule that lets launches overlap: which launches of a stream may still run when the next one
// starts, and what the next one must wait for (codegen/emit/preamble/mpf_device.cuh).
#pragma once

#include "codegen/bundle/kernel_interface.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace mpf {

/// Bytes [begin, end) of the work arena.
struct ByteRange {
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// What a launch reads and writes in the work arena. Inputs do not matter: no launch writes them.
struct LaunchUse {
  std::vector<ByteRange> reads, writes;
};

/// Not thread-safe.
///
/// A kernel that waits at its beginning lets the next launch start only after that wait; then
/// nothing else can still run. A kernel that waits later may start, and the next one after it,
/// while earlier launches still run. Everything else on the stream (copies, kernels that do not
/// wait by themselves) starts when everything before it has ended.
///
/// A launch that reads a result always waits at its beginning, even when the writer has surely
/// ended: only the wait guarantees that the L1 cache of a multiprocessor holds no older contents of
/// that memory.
class LaunchWindow {
public:
  /// Notes the next launch and returns when it must wait.
  WaitPoint add(LaunchUse use);
  /// Notes a launch that waits at its beginning, or whose kernel does not wait by itself.
  void addSerial(LaunchUse use);
  /// Takes note of a launch that may have run in the place of others.
  void note(LaunchUse use) { unfinished_.push_back(std::move(use)); }
  /// All launches so far have ended before the next one starts: there is a copy between them.
  void clear() { unfinished_.clear(); }

private:
  std::vector<LaunchUse> unfinished_;
};

} // namespace mpf
