// How the cases of a query are planned and run. The command line of mpfc and host programs fill in
// the same settings.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/lanes/build_lane_program.h"
#include "codegen/pipeline/compile_settings.h"
#include "codegen/predict/engine_speed.h"
#include "dsl/model/model.h"
#include "dsl/support/cases/case_schema.h"
#include "runtime/api/session.h"
#include "runtime/choose/answer/answer_form.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace mpf {

/// Hears how fast an engine is predicted to be.
using EngineOpening = std::function<void(const EngineSpeed &speed, bool usesGpu)>;

struct CaseSettings {
  CompileSettings compile; ///< has the memory bound of the device that it names
  SessionOptions session;
  /// Bytes of the host's memory for rows on their way to and from the engine.
  uint64_t streamedBytes = 0;
  /// Whether a host program binds the factors that have no values. Otherwise such factors are
  /// Error(BadInput).
  bool mayBind = false;
  /// The form of the only engines that may answer. None: the engine that is predicted to be the
  /// fastest.
  std::optional<AnswerForm> engine;
  /// The device for which planLanes has a plan already, so that planning takes no time. None:
  /// planLanes makes one.
  std::optional<DeviceKind> plannedLanes;
  /// Called before an engine is opened, which computes what all cases share. It may throw. May be
  /// empty.
  EngineOpening opening;
  /// These functions make plans. A refusal that they throw excludes the engine; other errors are
  /// final.
  std::function<Bundle(const Model &, const Query &, const CompileSettings &)> compileQuery;
  std::function<LanePlan(const Model &, const Query &, const CaseSchema &, const CompileSettings &)>
      planLanes;
};

/// Returns the options of a session of a program that was compiled with `compile`.
SessionOptions sessionOptionsFor(const CaseSettings &settings, const CompileSettings &compile);

} // namespace mpf
