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
  /// Waits for the device. Once. As LaneExecutor::run.
  virtual void finish(std::vector<uint32_t> &left) = 0;
};

/// The same of all arithmetics (case_runner.h).
class SentBlock {
public:
  /// Waits for the device, where it was not finished. Throws nothing.
  virtual ~SentBlock() = default;
  /// Waits for the device, and completes the answers. Once. As CaseRunner::run.
  virtual void finish() = 0;
};

} // namespace mpf
