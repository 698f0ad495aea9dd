// A block of cases that a device answers while its thread does something else.
#pragma once

#include <cstdint>
#include <vector>

namespace mpf {

/// On its way through one executor (lane_executor.h). Of one thread at a time, not always the same.
/// The block and its answers stay where they are until it is finished or gone.
class SentLanes {
public:
  /// Waits for the device, where it was not finished. Throws nothing.
  virtual ~SentLanes() = default;
  /// Waits for the device. Once. As LaneExecutor::run. False: of rows that were sent as they are
  /// some are none, or could not be fetched, and nothing is answered.
  virtual bool finish(std::vector<uint32_t> &left) = 0;
};

/// The same of all arithmetics (case_runner.h).
class SentBlock {
public:
  /// Waits for the device, where it was not finished. Throws nothing.
  virtual ~SentBlock() = default;
  /// Waits for the device, and completes the answers. Once. As CaseRunner::run. False: of what was
  /// sent as rows nothing is answered; the block is to be read, and answered from the beginning.
  virtual bool finish() = 0;
};

} // namespace mpf
