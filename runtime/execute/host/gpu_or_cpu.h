// THE ONE RULE for a GPU that fails: where it was the machine's choice, the CPU does the work, and
// somebody is told what failed. Sessions, the planner's questions about the GPU, and lists of cases
// all follow it here.
//
// The choice was the machine's with device "auto", whatever the schedule. What fails may be
// anything between the first call of the driver and the end of a run: the driver, its context,
// memory, a kernel that does not compile or load, a device that is lost.
#pragma once

#include "dsl/support/error.h"

#include <string>
#include <string_view>
#include <utility>

namespace mpf {

/// Whether a call that uses the GPU may have failed because of it, and might do without.
inline bool isGpuFault(const Error &error) {
  return error.kind() == ErrorKind::Device || error.kind() == ErrorKind::MemoryBound;
}

/// The result of onGpu(); where the GPU fails at it and `device` is "auto", that of onCpu(fault),
/// `fault` being one sentence. What onGpu() made is given back by then: it must be unwound by
/// exceptions.
template <class OnGpu, class OnCpu>
auto onGpuOrCpu(std::string_view device, OnGpu &&onGpu, OnCpu &&onCpu) -> decltype(onGpu()) {
  std::string fault;
  try {
    return onGpu();
  } catch (const Error &error) {
    if (device != "auto" || !isGpuFault(error))
      throw;
    fault = error.what();
  }
  return onCpu(std::move(fault));
}

} // namespace mpf
