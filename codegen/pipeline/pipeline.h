// THE WHOLE COMPILER on one screen: model -> simpler model -> table program -> bundle -> kernels.
//
// Host programs (runtime/library/jit.cpp), mpfc and explain compile through this object and nothing
// else. Each stage is a method that takes the artefact of the one before, which may as well have
// been read from its text; several queries of a model: model_pipeline.h.
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

/// A query as it is answered: `program` is of the simplified model.
struct PlannedQuery {
  Simplified simple;
  TableProgram program;
  ElementType type = ElementType::F64;
};

/// Whose mistake it is when a program makes no sound bundle.
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

  /// `query` of a verified model. Errors as mpf::simplify.
  Simplified simplify(const Model &model, const Query &query) const;

  /// The program before any pass: one operation over everything. Errors as buildProgram.
  TableProgram initial(const Simplified &simple, Diagnostics &diagnostics) const;

  /// Errors as buildProgram; performance warnings go to `diagnostics`.
  TableProgram plan(const Simplified &simple, Diagnostics &diagnostics) const;

  /// The named passes of the planner alone, on a program that was read from its text: run_pass.h
  /// says what that takes. Errors as runPassesAlone.
  TableProgram runPlanPasses(TableProgram program, const std::vector<std::string> &names) const;

  /// For the CPU. `program` was planned for `model`, or matches it (match_model.h); `answer` is
  /// what simplifying left to be undone. Throws as buildBundle, and Error(Usage) as requireForm.
  Bundle bundle(const Model &model, const TableProgram &program,
                std::optional<PostsolveMap> answer = std::nullopt) const;

  /// Adds kernels for the GPU that options().gpu chooses, if any. `program` is the one that the
  /// bundle was built from.
  void specialise(Bundle &bundle, const TableProgram &program) const;

  /// `bundle` and `specialise`, verified.
  Bundle compileProgram(const Model &model, const TableProgram &program,
                        std::optional<PostsolveMap> answer = std::nullopt,
                        ProgramOrigin origin = ProgramOrigin::Planner) const;

  /// A program that answers `query` for cases of `schema` (lists of rows of evidence), in lanes;
  /// verified. The model's own evidence holds in every case. Errors as buildProgram and
  /// buildLaneProgram.
  LanePlan planLanes(const Model &model, const Query &query, const CaseSchema &schema,
                     Diagnostics &diagnostics) const;

  /// All stages.
  Bundle compile(const Model &model, const Query &query, Diagnostics &diagnostics) const;

private:
  PlanHooks planHooks() const;
  /// The lane program with the least to do for each case, of several elimination orders.
  LanePlan cheapestLanes(const Model &model, const Query &query, const CaseSchema &schema,
                         Diagnostics &diagnostics) const;
  /// What the planner asks about a GPU, while it plans; null: nothing, or
  /// options().plan.deviceCosts.
  std::unique_ptr<DeviceCosts> deviceCosts() const;

  PipelineOptions options_;
  /// Kernels that planning went through, for `specialise`.
  std::shared_ptr<PlannedKernels> planned_;
};

/// Throws Error(Usage) for whole numbers in forced log arithmetic.
void requireForm(ElementType type, bool forcedLog);

} // namespace mpf
