// What a program for cases was compiled from, so that a session can choose among all engines.
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
  /// As the host program says, without a bound of the machine.
  CompileSettings settings;
  std::shared_ptr<const LanePlan> lanes; ///< for settings.device; null: they refuse
  std::exception_ptr refusal;            ///< then why
};

} // namespace mpf
