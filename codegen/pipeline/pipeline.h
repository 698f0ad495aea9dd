// THE WHOLE COMPILER on one screen: model -> simpler model -> table program -> bundle -> kernels.
//
// Host programs (runtime/library/jit.cpp), mpfc and explain compile through this object and nothing
// else. Each stage is a method that takes the artefact of the one before, also if that was read
// from its text. Several queries of a model are handled by model_pipeline.h.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/lanes/build_lane_program.h"
#include "codegen/pipeline/pipeline_options.h"
#include "codegen/plan/program/device_costs.h"
#include "codegen/plan/program/table_program.h"
#include "codegen/simplify/simplify.h"
#include "codegen/specialise/planned_kernels.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// A query as it is answered; `program` is that of the simplified model.
struct PlannedQuery {
  Simplified simple;
  TableProgram program;
  ElementType type = ElementType::F64;
};

/// The source of a program, which is at fault when it makes no sound bundle.
enum class ProgramOrigin {
  Planner, ///< ours: Error(Internal)
  Text,    ///< the user's, who edited the plan: Error(BadInput)
};

/// The stages for queries of one element type. Deterministic. Immutable: threads may share one if
/// its hooks allow it.
class Pipeline {
public:
  explicit Pipeline(PipelineOptions options)
      : options_(std::move(options)),
        planned_(options_.planned ? options_.planned : std::make_shared<PlannedKernels>()) {}

  const PipelineOptions &options() const { return options_; }

  /// Simplifies `query` of a verified model. Errors as mpf::simplify.
  Simplified simplify(const Model &model, const Query &query) const;

  /// Returns the program before any pass: one operation over everything. Errors as buildProgram.
  TableProgram initial(const Simplified &simple, Diagnostics &diagnostics) const;

  /// Plans a query. Errors as buildProgram; performance warnings go to `diagnostics`.
  TableProgram plan(const Simplified &simple, Diagnostics &diagnostics) const;

  /// Runs the named passes of the planner alone on a program that was read from its text
  /// (run_pass.h). Errors as runPassesAlone.
  TableProgram runPlanPasses(TableProgram program, const std::vector<std::string> &names) const;

  /// Builds a bundle for the CPU. `program` was planned for `model`, or matches it (match_model.h).
  /// `answer` restores the original answer after simplifying. Throws as buildBundle, and
  /// Error(Usage) as requireForm.
  Bundle bundle(const Model &model, const TableProgram &program,
                std::optional<PostsolveMap> answer = std::nullopt) const;

  /// Adds kernels for options().gpu, or for the GPU that options().chooser chooses. False: there is
  /// none, and the bundle is as it was. The bundle must have been built from `program`.
  bool specialise(Bundle &bundle, const TableProgram &program) const;

  /// Runs `bundle` and `specialise`, and verifies the result.
  Bundle compileProgram(const Model &model, const TableProgram &program,
                        std::optional<PostsolveMap> answer = std::nullopt,
                        ProgramOrigin origin = ProgramOrigin::Planner) const;

  /// Plans a program that answers `query` in lanes for cases of `schema` (lists of rows of
  /// evidence), and verifies it. The model's own evidence holds in every case. Errors as
  /// buildProgram and buildLanePlan.
  LanePlan planLanes(const Model &model, const Query &query, const CaseSchema &schema,
                     Diagnostics &diagnostics) const;

  /// Runs all stages.
  Bundle compile(const Model &model, const Query &query, Diagnostics &diagnostics) const;

private:
  PlanHooks planHooks() const;
  /// Returns the lane program with the least work for each case, among several elimination orders.
  LanePlan cheapestLanes(const Model &model, const Query &query, const CaseSchema &schema,
                         Diagnostics &diagnostics) const;
  /// Returns the costs that the planner asks about a GPU; null: none, or
  /// options().plan.deviceCosts.
  std::unique_ptr<DeviceCosts> deviceCosts() const;

  PipelineOptions options_;
  /// Kernels that planning has considered, for `specialise`.
  std::shared_ptr<PlannedKernels> planned_;
};

/// Throws Error(Usage) for whole numbers in forced log arithmetic.
void requireForm(ElementType type, bool forcedLog);

} // namespace mpf
