// Opens the executor for a device name. Only this file knows which devices exist.
#pragma once

#include "runtime/api/session.h"
#include "runtime/execute/host/executor.h"

#include <memory>
#include <string>

namespace mpf {

struct OpenedExecutor {
  std::unique_ptr<Executor> executor;
  Schedule schedule;        ///< the schedule that this executor runs
  bool mayLeaveGpu = false; ///< whether the CPU replaces it if its GPU fails (gpu_or_cpu.h)
  std::string gpuFault;     ///< why a GPU failed, if the CPU replaced it: one sentence; else empty
};

/// Opens the executor for a device. "auto" opens the GPU if
/// - the bundle has GPU kernels that may run,
/// - a placement uses the GPU (place_program.h), and the machine has one,
/// - the tables fit the GPU's free memory;
/// otherwise it opens the CPU. With "auto", for every schedule, the CPU also replaces a GPU that
/// fails to open; gpuFault gives the reason.
///
/// Throws
/// - Error(Usage) for an unknown name,
/// - Error(Device) if the machine has no such device, or the bundle no program for it,
/// - Error(BadInput) for a GPU if the kernels come from a file and cannot be checked,
/// - Error(MemoryBound) if the tables do not fit.
OpenedExecutor openExecutor(const Bundle &bundle, const SessionOptions &options);

struct PredictedRun {
  double timeUs = 0;
  bool usesGpu = false;
};

/// Predicts the first run of the executor that openExecutor would open.
PredictedRun predictRun(const Bundle &bundle, const SessionOptions &options);

/// Opens the executor of the CPU, for any device in the options. `gpuFault`: the value of
/// OpenedExecutor::gpuFault; the message of an error quotes it too.
OpenedExecutor openOnCpu(const Bundle &bundle, const SessionOptions &options, std::string gpuFault);

} // namespace mpf
