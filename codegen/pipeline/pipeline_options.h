// What every stage of the pipeline is told about one query, stage by stage.
// compile_settings.h makes it from what a user says.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/lanes/lane_budget.h"
#include "codegen/lanes/lane_cost.h"
#include "codegen/pipeline/pipeline_hooks.h"
#include "codegen/plan/program/plan_options.h"
#include "codegen/simplify/simplify_pipeline.h"
#include "codegen/specialise/specialise.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// Asked with the bundle for the CPU: the GPU to add kernels for, or none. Changes nothing of the
/// bundle but Bundle::gpuFault.
using GpuChoice = std::function<std::optional<SpecialiseOptions>(Bundle &)>;

/// Microseconds that one run of a bundle without GPU kernels is predicted to take where it is for.
/// Called from one thread at a time; equal bundles get equal answers.
using RunPrediction = std::function<double(const Bundle &, PredictedKernels)>;

struct PipelineOptions {
  SimplifyOptions simplify; ///< nothing is simplified unless values are said to be final
  std::vector<std::string> runSimplifyPasses; ///< not empty: these alone (simplifyByPasses)
  PlanOptions plan; ///< element type, memory bound, order; finalTables is the pipeline's
  std::vector<std::string> offPlanPasses;
  /// The GPU whose predicted times the planner asks for; none, or plan.deviceCosts is set: no
  /// other.
  std::optional<SpecialiseOptions> costs;
  RunPrediction predictRun; ///< makes plan.programUs; empty: the planner predicts no programs
  bool forcedLog = false;
  LaneDevice laneDevice = LaneDevice::Cpu; ///< that lists of cases are planned for
  ListPrediction predictList; ///< over which planning lanes must pay; empty: all is tried
  GpuChoice gpu;              ///< empty: a bundle for the CPU only
  std::shared_ptr<PlannedKernels> planned; ///< that pipelines share; null: each has its own
  PipelineHooks hooks;
};

} // namespace mpf
