// Plans and opens the executor of a session.
#pragma once

#include "runtime/api/session.h"
#include "runtime/choose/answer/answer_plan.h"
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

/// Chooses the devices of a session (choose_answer.h). `predictsAll` as AnswerConditions. Throws
/// Error(Usage) for invalid options.
AnswerPlan planAnswer(const Bundle &bundle, const SessionOptions &options,
                      bool predictsAll = false);

/// Opens the executor that planAnswer chooses. If predicted times chose a GPU
/// (DeviceRequest::isAuto), the CPU replaces it where the machine has none, or the tables exceed
/// its free memory. If the request is open, the CPU also replaces a GPU that fails to open;
/// gpuFault gives the reason.
///
/// Throws
/// - Error(Usage) for invalid options,
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
