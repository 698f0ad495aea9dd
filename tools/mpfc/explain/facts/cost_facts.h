// Predicts the time of every bucket and every phase.
#pragma once

#include "codegen/plan/order/search_components.h"
#include "codegen/plan/program/table_program.h"
#include "tools/mpfc/explain/facts/cost_options.h"
#include "tools/mpfc/explain/facts/explanation.h"

namespace mpf {

/// Operations beyond what the kernels can count are not run: their plan was refused.
inline constexpr double kCountableAddresses = 4e18;

/// Sets the times of explanation.buckets (one per operation of `program`), phases and autoDevice.
/// explanation.memory must be set.
void addCosts(const TableProgram &program, const CostOptions &options,
              QueryExplanation &explanation);

/// Adds the search for an order, which took `effort`, and the phase of planning in front of all
/// others, in which a run plans so many kernels of a GPU.
void addPlanningPhase(const SearchEffort &effort, size_t kernels, const CostOptions &options,
                      QueryExplanation &explanation);

} // namespace mpf
