// The source of a program for cases, kept so that a session can choose among all engines.
#pragma once

#include "codegen/lanes/build_lane_program.h"
#include "codegen/pipeline/compile_settings.h"
#include "dsl/model/model.h"

#include <exception>
#include <memory>

namespace mpf {

struct CaseQuestion {
  Model model; ///< for one case
  Query query;
  /// The host program's settings, without a memory bound of the machine.
  CompileSettings settings;
  std::shared_ptr<const LanePlan> lanes; ///< plan for settings.device; null: lanes refuse
  bool isLoaded = false;      ///< from a file: `lanes` is the only engine, and nothing is planned
  std::exception_ptr refusal; ///< set if `lanes` is null: why
};

} // namespace mpf
