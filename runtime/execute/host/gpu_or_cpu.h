// THE ONE RULE for a GPU that fails: if mpf chose it, the CPU does the work, and the failure is
// reported. Sessions, the planner's questions about the GPU, and lists of cases all use it.
//
// mpf chooses if the request for devices is open, whatever the schedule (device_request.h). The
// failure may be in the driver, its context, memory, a kernel that does not compile or load, or a
// lost device. It may occur at any time between the first call of the driver and the end of a run.
#pragma once

#include "dsl/support/error.h"

#include <string>
#include <utility>

namespace mpf {

/// True if a call may have failed because of the GPU, so that it may succeed without it.
inline bool isGpuFault(const Error &error) {
  return error.kind() == ErrorKind::Device || error.kind() == ErrorKind::MemoryBound;
}

/// Returns the result of onGpu(). If the GPU fails and `isOpen` (DeviceRequest::isOpen), returns
/// that of onCpu(fault), where `fault` is one sentence. The exception must release all that onGpu()
/// made, before onCpu is called.
template <class OnGpu, class OnCpu>
auto onGpuOrCpu(bool isOpen, OnGpu &&onGpu, OnCpu &&onCpu) -> decltype(onGpu()) {
  std::string fault;
  try {
    return onGpu();
  } catch (const Error &error) {
    if (!isOpen || !isGpuFault(error))
      throw;
    fault = error.what();
  }
  return onCpu(std::move(fault));
}

} // namespace mpf
