// Enters the pipeline with a plan that was read from its text. The plan gives the shape, the model
// gives the values of factors and the observed states.
#pragma once

#include "codegen/pipeline/model_pipeline.h"
#include "codegen/plan/program/read_program.h"

#include <functional>
#include <string>
#include <vector>

namespace mpf {

/// The model that the plans are compiled with.
struct PlannedModel {
  const Model &model;
  std::string name; ///< name of its file, for messages
  /// Returns the queries that the user asks for: a plan of the simplified model must be of one of
  /// them. Called only where something is simplified.
  std::function<std::vector<Query>()> asked;
};

/// Compiles each plan, and passes its bundle on before the next one. A plan is of the model as it
/// is, or of the simplified model if the settings ask for it. Errors are BadInput at the plan's
/// place when it is no plan of the model, Usage when its query is not asked for, MemoryBound as
/// requireMemory, and those of Pipeline::compileProgram. Each is thrown or collected by
/// policy.refusals.
void compileGivenPlans(const PlannedModel &of, std::vector<ReadProgram> plans,
                       const QueryPolicy &policy, const std::function<void(Bundle)> &take);

} // namespace mpf
