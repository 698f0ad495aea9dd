// The rule by which launches overlap: which launches of a stream may still run when the next one
// starts, and when the next one must wait for them (codegen/emit/preamble/mpf_device.cuh).
//
// Only kernels that contain the wait overlap with earlier launches. Table-driven kernels do not:
// they always start when everything before them has ended. The device must be of sm_90 or later and
// the driver must have cuLaunchKernelEx. Elsewhere launches run one after another, and the waits
// that are planned here change nothing.
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

/// The parts of the work arena that a launch reads and writes. Inputs are left out: no launch
/// writes them.
struct LaunchUse {
  std::vector<ByteRange> reads, writes;
};

/// Tracks the launches that may still run. Not thread-safe.
///
/// A kernel that waits at its beginning lets the next launch start only after that wait, when no
/// earlier launch can still run. A kernel that waits later may start, and so may the one after it,
/// while earlier launches still run. Everything else on the stream (copies, kernels that contain no
/// wait) starts when everything before it has ended.
///
/// A launch that reads a result always waits at its beginning, even when the writer has surely
/// ended. Only the wait guarantees that the L1 cache of a multiprocessor holds no older contents of
/// that memory.
class LaunchWindow {
public:
  /// Notes the next launch and returns when it must wait:
  /// - at its beginning, if it reads a result or if 32 launches may still run;
  /// - before its first store, if it writes memory that one of these reads or writes;
  /// - otherwise at its end.
  WaitPoint add(LaunchUse use);
  /// Notes a launch that waits at its beginning, or whose kernel contains no wait.
  void addSerial(LaunchUse use);
  /// Notes a launch that may have run in place of others.
  void note(LaunchUse use) { unfinished_.push_back(std::move(use)); }
  /// Notes that all launches so far have ended before the next one starts, because of a copy
  /// between them.
  void clear() { unfinished_.clear(); }

private:
  std::vector<LaunchUse> unfinished_;
};

} // namespace mpf
