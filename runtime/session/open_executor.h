// Opens the executor for a device name. Only this file knows which devices exist.
#pragma once

#include "runtime/api/session.h"
#include "runtime/execute/host/executor.h"

#include <memory>
#include <string>

namespace mpf {

struct OpenedExecutor {
  std::unique_ptr<Executor> executor;
  Schedule schedule; ///< for this executor
  bool usesGpu = false;
  std::string gpuFault; ///< why it does not use a GPU that was wanted and failed; one sentence
};

/// Throws Error(Usage) for an unknown name, Error(Device) when the machine has no such device or
/// the bundle has no program for it, Error(BadInput) for a GPU when the bundle's kernels come from
/// a file and cannot be checked, and Error(MemoryBound) when the tables do not fit. "auto" opens
/// the GPU only if the bundle has GPU kernels that may run, a GPU is wanted (place_program.h) and
/// there is one, and the tables fit its free memory; else the CPU. With "auto", whatever the
/// schedule, a GPU that fails to open leaves the CPU too, and gpuFault says so.
OpenedExecutor openExecutor(const Bundle &bundle, const SessionOptions &options);

struct PredictedRun {
  double timeUs = 0;
  bool usesGpu = false;
};

/// The first run of what openExecutor would open, as predicted.
PredictedRun predictRun(const Bundle &bundle, const SessionOptions &options);

/// The CPU's, whatever the options' device. `gpuFault`: OpenedExecutor's; an error is told with it.
OpenedExecutor openOnCpu(const Bundle &bundle, const SessionOptions &options, std::string gpuFault);

} // namespace mpf
