// The source of a program for cases, kept so that a session can choose among all engines.
#pragma once

#include "codegen/lanes/build_lane_program.h"
#include "codegen/pipeline/compile_settings.h"
#include "dsl/model/model.h"

#include <exception>
#include <memory>
#include <optional>

namespace mpf {

/// The result of planning a query in lanes before its session is opened.
struct GivenLanes {
  std::optional<DeviceKind> device;     ///< the plan is for it; none: for every device
  std::shared_ptr<const LanePlan> plan; ///< null: lanes refuse the query, on any device
  std::exception_ptr refusal;           ///< set if `plan` is null: why
};

struct CaseQuestion {
  Model model; ///< for one case
  Query query;
  /// The host program's settings, without a memory bound of the machine.
  CompileSettings settings;
  GivenLanes lanes;
  bool isLoaded = false; ///< from a file: `lanes` are the only engine, and nothing is planned
};

} // namespace mpf
