// Programs conditioned on variables chosen at random: whatever the planner would choose, the
// answers must stay the same.
#pragma once

#include "codegen/plan/passes/plan_pipeline.h"
#include "dsl/model/model.h"

#include <random>

namespace mpf::oracle {

/// Plans the query with up to `most` random variables sliced (output variables too where their
/// semiring allows it): for a single run, where equal tables may be shared, or for sessions, where
/// `keep` says what outlasts a run. With `costs`, chains are looked for and
/// sums are split.
TableProgram randomlySliced(std::mt19937_64 &random, const Model &model, const Query &query,
                            size_t most, const PlanHooks &hooks = {},
                            KeptMessages keep = KeptMessages::None, DeviceCosts *costs = nullptr);

} // namespace mpf::oracle
