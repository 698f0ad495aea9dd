// How the cases of a query are planned and run: what mpfc's command line and host programs say of
// it in the same words.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/lanes/build_lane_program.h"
#include "codegen/pipeline/compile_settings.h"
#include "dsl/model/model.h"
#include "dsl/support/cases/case_schema.h"
#include "runtime/api/session.h"
#include "runtime/choose/case_engine_kind.h"
#include "runtime/choose/engine_speed.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace mpf {

/// Hears how fast an engine is predicted to be.
using EngineOpening = std::function<void(const EngineSpeed &speed, bool usesGpu)>;

struct CaseSettings {
  CompileSettings compile; ///< with a memory bound, of the device that it names
  SessionOptions session;
  /// What rows on their way to and from the engine take of the host's memory.
  uint64_t streamedBytes = 0;
  /// A host program binds factors that have no values. Otherwise they are Error(BadInput).
  bool mayBind = false;
  /// No other answers; Lanes: wherever they run. None: the one that is predicted to be the fastest.
  std::optional<CaseEngineKind> engine;
  /// planLanes has a plan for this device already, so that it takes no time. None: it makes one.
  std::optional<LaneDevice> plannedLanes;
  /// Called before an engine is opened, which computes what all cases share. It may throw. May be
  /// empty.
  EngineOpening opening;
  /// Make plans; what they throw is why an engine refuses, or the error.
  std::function<Bundle(const Model &, const Query &, const CompileSettings &)> compileQuery;
  std::function<LanePlan(const Model &, const Query &, const CaseSchema &, const CompileSettings &)>
      planLanes;
};

/// The options of a session of a program that was compiled with `compile`.
SessionOptions sessionOptionsFor(const CaseSettings &settings, const CompileSettings &compile);

} // namespace mpf
