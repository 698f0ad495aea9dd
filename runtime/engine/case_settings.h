// How the cases of a query are planned and run. The command line of mpfc and host programs fill in
// the same settings.
#pragma once

#include "codegen/pipeline/model_pipeline.h"
#include "codegen/predict/engine_speed.h"
#include "runtime/api/session.h"
#include "runtime/choose/answer/answer_form.h"
#include "runtime/choose/jit_gpu.h"
#include "runtime/engine/case_question.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace mpf {

/// Hears how fast an engine is predicted to be.
using EngineOpening = std::function<void(const EngineSpeed &speed, bool usesGpu)>;

struct CaseSettings {
  /// Settings of every query that an engine plans. Without a memory bound, each query gets that of
  /// the machine.
  CompileSettings compile;
  PipelineHooks hooks; ///< of planning
  StopFlag stop;       ///< of searches; may be empty
  AutotuneOptions autotune;
  SessionOptions session;
  /// Bytes of the host's memory for rows on their way to and from the engine.
  uint64_t streamedBytes = 0;
  unsigned streamThreads = 0; ///< threads that read and write these rows
  /// Whether a host program binds the factors that have no values. Otherwise such factors are
  /// Error(BadInput).
  bool mayBind = false;
  /// Whether cases come in the memory of a GPU. Lanes then compile a kernel when it is first
  /// needed.
  bool casesOnDevice = false;
  /// The form of the only engines that may answer. None: the engine that is predicted to be the
  /// fastest.
  std::optional<AnswerForm> engine;
  std::optional<GivenLanes> lanes; ///< none: lanes are planned when they are considered
  /// Called before an engine is opened, which computes what all cases share. It may throw. May be
  /// empty.
  EngineOpening opening;
};

/// Whether lanes on this device are given, so that planning them takes no time.
inline bool givesLanes(const CaseSettings &settings, DeviceKind device) {
  return settings.lanes && settings.lanes->device.value_or(device) == device;
}

/// Returns the options of a session of a program that was compiled with `compile`.
SessionOptions sessionOptionsFor(const CaseSettings &settings, const CompileSettings &compile);

} // namespace mpf
