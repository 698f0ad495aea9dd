// Launches that assume linear arithmetic to be exact, and the look afterwards whether it was.
//
// Where the ranges of the inputs prove nothing, linear arithmetic is exact all the same in nearly
// every run: tables carry scales. So a plan may assume it (LaunchArithmetic::Assumed): it has
// neither fallbacks nor normalisations behind its kernels, and no chain for which the host waits.
// The states that kernels record tell afterwards whether the assumption held for every operation;
// if not, the plan without it runs, on the same inputs. Both give the same bits where it holds.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_state.h"
#include "runtime/schedule/launch_plan.h"

#include <vector>

namespace mpf {

/// `states`: by buffer, after all launches of `plan` have run.
bool assumptionHeld(const Bundle &bundle, const LaunchPlan &plan,
                    const std::vector<TableState> &states);

/// Whether the operations that run can do so once more: they read inputs and results of each other
/// alone. What another run left may be overwritten by then. `runs`: one flag per operation.
bool canRunAgain(const Bundle &bundle, const std::vector<char> &runs);

} // namespace mpf
