// What every bucket and every phase takes, and which buckets are costliest.
#pragma once

#include "codegen/plan/order/search_components.h"
#include "codegen/plan/program/table_program.h"
#include "tools/mpfc/explain/facts/cost_options.h"
#include "tools/mpfc/explain/facts/explanation.h"

#include <cstddef>

namespace mpf {

inline constexpr size_t kCostliestBuckets = 10;

/// Fills the times of explanation.buckets (one per operation of `program`), costliest,
/// bucketsOfMost, phases and autoDevice. explanation.memory is there already.
void addCosts(const TableProgram &program, const CostOptions &options,
              QueryExplanation &explanation);

/// Puts the phase that comes before all others in front: the search for an order took `effort`.
void addPlanningPhase(const SearchEffort &effort, QueryExplanation &explanation);

} // namespace mpf
