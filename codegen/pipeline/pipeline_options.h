// Defines the input of every stage of the pipeline for one query, stage by stage. It is made from
// the user's settings by compile_settings.h.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/lanes/lane_cost.h"
#include "codegen/pipeline/device_chooser.h"
#include "codegen/pipeline/pipeline_hooks.h"
#include "codegen/plan/program/plan_options.h"
#include "codegen/predict/lane_speed.h"
#include "codegen/simplify/simplify_pipeline.h"
#include "codegen/specialise/specialise.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

struct PipelineOptions {
  SimplifyOptions simplify;                   ///< nothing is simplified unless values are final
  std::vector<std::string> runSimplifyPasses; ///< not empty: only these run (simplifyByPasses)
  PlanOptions plan; ///< element type, memory bound, order; finalTables is the pipeline's
  std::vector<std::string> offPlanPasses;
  /// The GPU whose predicted times the planner uses; nothing: none, or that of plan.deviceCosts.
  std::optional<SpecialiseOptions> costs;
  bool forcedLog = false;
  DeviceKind laneDevice = DeviceKind::Cpu; ///< device that lists of cases are planned for
  /// The list of cases over which planning lanes must pay; none: all is tried.
  std::optional<LaneLoad> laneLoad;
  /// The GPU for which every bundle gets kernels; none: `chooser` decides.
  std::optional<SpecialiseOptions> gpu;
  /// Predicts programs for the planner, and chooses the GPU for which a bundle gets kernels. Null:
  /// nothing is predicted, and bundles are for the CPU.
  std::shared_ptr<const DeviceChooser> chooser;
  std::shared_ptr<PlannedKernels> planned; ///< shared by pipelines; null: each has its own
  PipelineHooks hooks;
};

} // namespace mpf
