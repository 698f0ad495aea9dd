// Which launches of a stream may still run when the next one starts, and what that one has to wait
// for: the rule that lets launches overlap (preamble/mpf_device.cuh).
#pragma once

#include "codegen/bundle/kernel_interface.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Bytes [begin, end) of the work arena.
struct ByteRange {
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// What a launch touches in the work arena. Inputs no launch writes.
struct LaunchUse {
  std::vector<ByteRange> reads, writes;
};

/// Not thread-safe.
///
/// A kernel that waits when it begins lets the launch behind start only then, so nothing but itself
/// can still run when that one starts; one that waits later may start, and be followed, while all
/// launches run that might when it starts. Anything else on the stream (copies, kernels that do not
/// wait by themselves) starts when everything before it has ended.
///
/// Whoever reads a result waits when it begins, even if its writer must have ended: only the wait
/// promises that what a multiprocessor's L1 holds of that memory is not older.
class LaunchWindow {
public:
  /// Takes note of the next launch; says when it has to wait.
  WaitPoint add(LaunchUse use);
  /// Of one that waits when it begins, or whose kernel does not wait by itself.
  void addSerial(LaunchUse use);
  /// All launches so far have ended before the next one starts: there is a copy between them.
  void clear() { unfinished_.clear(); }

private:
  std::vector<LaunchUse> unfinished_;
};

} // namespace mpf
