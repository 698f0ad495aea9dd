// A block of cases that a device answers while its thread does other work.
#pragma once

#include <cstdint>
#include <vector>

namespace mpf {

/// A block that was sent to one executor (lane_executor.h). One thread at a time may use it, not
/// always the same one. The block and its answers must exist until it is finished or destroyed.
class SentLanes {
public:
  /// Waits for the device if the block was not finished. Throws nothing.
  virtual ~SentLanes() = default;
  /// Waits for the device and sets `left` as LaneExecutor::run does. May be called once. Returns
  /// false, without answers, if some unread rows were invalid or could not be fetched.
  virtual bool finish(std::vector<uint32_t> &left) = 0;
};

/// A block that was sent to a case runner (case_runner.h), in all its arithmetics.
class SentBlock {
public:
  /// Waits for the device if the block was not finished. Throws nothing.
  virtual ~SentBlock() = default;
  /// Waits for the device and completes the answers as CaseRunner::run does. May be called once.
  /// Returns false if a block of unread rows was not answered; it must then be read and answered
  /// from the beginning.
  virtual bool finish() = 0;
};

} // namespace mpf
