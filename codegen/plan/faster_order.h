// Chooses between the programs of two orders by what a run of each is predicted to take.
//
// The search for orders minimises operations, which is not what takes the time: one wide product of
// few operands runs faster than narrow ones that move more entries. Sums over buckets say which of
// the orders that it met may be the fastest (order/order_work.h), but not surely, since they do not
// know the kernels. So both are planned and both programs predicted, and that of fewer operations
// stays where the other is not faster. This costs the passes once more, which is paid for by the
// rule of program/planning_budget.h.
#pragma once

#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/slicing/plan_trials.h"
#include "dsl/model/model.h"

namespace mpf {

/// Runs the passes on `faster` and returns whether its program is to be taken instead of `known`,
/// which has messages computed once and no slices. `trials` is that of `faster` alone; if true, it
/// has accepted a program that computes no message again, takes at most kMostMemory times the
/// memory of `known` and is predicted to run faster (PlanOptions::programUs). False without trying
/// where nothing can predict, or where the trial may cost more than it can save.
bool isFasterOrder(const Model &model, const PlanOptions &options,
                   const PlanTrials::Accepted &known, const OrderChoice &faster,
                   PlanTrials &trials);

/// A faster program may be wider, but not by more than this: it is to stay near the least memory
/// that was found, and a program that fits this machine near what fits another.
inline constexpr double kMostMemory = 4;

} // namespace mpf
