// Runs whose tables lie in the memory of the executor's device: nothing is copied, and nobody
// waits. For host programs: runtime/result/device_run.h.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/schedule.h"

#include <cstdint>
#include <span>

namespace mpf {

/// What an executor does besides.
class DeviceRuns {
public:
  virtual ~DeviceRuns() = default;

  /// Of the runs to come: the inputs whose values lie on the device, indices into Bundle::inputs;
  /// none is raw or packed. Waits for the device.
  virtual void prepare(std::span<const uint32_t> inputs) = 0;

  struct Request {
    const Evidence &evidence;         ///< with a state for each variable that the bundle observes
    std::span<const uint64_t> values; ///< device addresses, by prepared input
    uint64_t results = 0;             ///< entries of Bundle::outputs, in their order
    uint64_t exponents = 0;           ///< int32_t, one for each output
    /// Of plain tables (sum_exponent.h), and the greatest that a value's may be with it.
    int32_t sumExponent = 0, greatestExponent = 0;
    void *stream = nullptr; ///< of the host program
  };
  /// Binds the prepared inputs, runs `steps` as Executor::start does and writes the outputs, in the
  /// order of `stream`. The other inputs are those of Executor::setInput.
  virtual void startOnDevice(std::span<const ScheduleStep> steps, const Request &request) = 0;
};

} // namespace mpf
