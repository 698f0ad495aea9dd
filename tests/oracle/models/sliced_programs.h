// Conditions programs on variables chosen at random: answers must be the same for every choice of
// the planner.
#pragma once

#include "codegen/plan/passes/plan_pipeline.h"
#include "dsl/model/model.h"

#include <random>

namespace mpf::oracle {

/// Plans the query with up to `most` random variables sliced (output variables too if their
/// semiring allows it). A plan for a single run may share equal tables; in a plan for sessions,
/// `keep` decides which messages outlast a run. With `costs`, chains are looked for and sums are
/// split.
TableProgram randomlySliced(std::mt19937_64 &random, const Model &model, const Query &query,
                            size_t most, const PlanHooks &hooks = {},
                            KeptMessages keep = KeptMessages::None, DeviceCosts *costs = nullptr);

} // namespace mpf::oracle
