// The pipeline entered with a plan that was read from its text: the shape is the plan's, the
// numbers and the states observed are the model's.
#pragma once

#include "codegen/pipeline/model_pipeline.h"
#include "codegen/plan/program/read_program.h"

#include <functional>
#include <string>
#include <vector>

namespace mpf {

/// What the plans are compiled with.
struct PlannedModel {
  const Model &model;
  std::string name; ///< of its file, for messages
  /// The queries that are asked for: a plan of the simplified model must be of one of them. Asked
  /// only where something is simplified.
  std::function<std::vector<Query>()> asked;
};

/// Compiles each plan, handing the bundle on before the next one. A plan is of the model as it
/// stands, or of the simplified one if the settings say so. Errors: BadInput at the plan's place
/// when it is no plan of the model, Usage when its query is not asked for, MemoryBound as
/// requireMemory, those of Pipeline::compileProgram; as policy.refusals says.
void compileGivenPlans(const PlannedModel &of, std::vector<ReadProgram> plans,
                       const QueryPolicy &policy, const std::function<void(Bundle)> &take);

} // namespace mpf
