// Defines the input of every stage of the pipeline for one query, stage by stage. It is made from
// the user's settings by compile_settings.h.
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

/// Called with the bundle for the CPU; returns the GPU to add kernels for, or nothing. Changes
/// nothing of the bundle but Bundle::gpuFault.
using GpuChoice = std::function<std::optional<SpecialiseOptions>(Bundle &)>;

/// Predicts the microseconds of one run of a bundle without GPU kernels, on the device that it is
/// for. Called from one thread at a time; equal bundles get equal predictions.
using RunPrediction = std::function<double(const Bundle &, PredictedKernels)>;

struct PipelineOptions {
  SimplifyOptions simplify;                   ///< nothing is simplified unless values are final
  std::vector<std::string> runSimplifyPasses; ///< not empty: only these run (simplifyByPasses)
  PlanOptions plan; ///< element type, memory bound, order; finalTables is the pipeline's
  std::vector<std::string> offPlanPasses;
  /// The GPU whose predicted times the planner uses; nothing: none, or that of plan.deviceCosts.
  std::optional<SpecialiseOptions> costs;
  RunPrediction predictRun; ///< makes plan.programUs; empty: the planner predicts no programs
  bool forcedLog = false;
  LaneDevice laneDevice = LaneDevice::Cpu; ///< device that lists of cases are planned for
  ListPrediction predictList; ///< time over which planning lanes must pay; empty: all is tried
  GpuChoice gpu;              ///< empty: a bundle for the CPU only
  std::shared_ptr<PlannedKernels> planned; ///< shared by pipelines; null: each has its own
  PipelineHooks hooks;
};

} // namespace mpf
