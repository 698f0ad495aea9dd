// Predicts the time of every bucket and every phase.
#pragma once

#include "codegen/plan/order/search_components.h"
#include "codegen/plan/program/table_program.h"
#include "runtime/choose/answer/choose_answer.h"
#include "tools/mpfc/explain/facts/cost_options.h"
#include "tools/mpfc/explain/facts/explanation.h"

namespace mpf {

/// Most addresses of an operation that is run: kernels cannot count more, so its plan was refused.
inline constexpr double kCountableAddresses = 4e18;

/// Returns the conditions under which a run chooses its devices, without their costs. A plan that
/// exceeds its bound is refused, and described as if the host had any amount of memory. `options`
/// must outlive them.
AnswerConditions answerConditions(const CostOptions &options, const MemoryFacts &memory);

/// Sets the times of explanation.buckets (one per operation of `program`), phases and autoDevice.
/// explanation.memory must be set.
void addCosts(const TableProgram &program, const CostOptions &options,
              QueryExplanation &explanation);

/// Adds the search for an order, which took `effort`, and puts the phase of planning before all
/// others. `kernels`: the number of GPU kernels that a run plans in this phase.
void addPlanningPhase(const SearchEffort &effort, size_t kernels, const CostOptions &options,
                      QueryExplanation &explanation);

} // namespace mpf
