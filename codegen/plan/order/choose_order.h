// From the initial program (one operation over everything) to candidate global orders.
//
// Every component gets one greedy run; rounds of search (order_search.h) follow, each for the
// component that is costliest for what was spent on it, and the cheapest order of each component
// wins.
//
// The search lasts for exactly SearchLimits::rounds, or for SearchLimits::seconds, or, by default,
// as long as it took less than its share of the predicted run. That share is counted in elementary
// steps, so that by default no clock decides.
#pragma once

#include "codegen/plan/order/order_components.h"
#include "codegen/plan/order/search_components.h"
#include "codegen/plan/program/plan_options.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/table_program.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <vector>

namespace mpf {

struct OrderChoice {
  std::vector<VarId> order; ///< global order, most significant first: output variables, then the
                            ///< eliminated ones, first eliminated last
  size_t slicedCount = 0;   ///< the first so many of `order` are conditioned on (slice_levels.h)
  LoopEnds ends = LoopEnds::Last; ///< where their loops end; Last for assignments
  double cost = 0;                ///< modelled elementary operations, may be infinite
  double log2Largest = 0;         ///< entries of the largest message
};

struct OrderChoices {
  std::vector<OrderChoice> choices; ///< the cheapest first; a second one needs smaller messages
  SearchEffort effort;
};

/// What a search for orders may start from. Either may be null.
struct OrderHints {
  const std::vector<VarId> *known =
      nullptr;                       ///< a global order of all these variables, to begin with
  const InputLoops *loops = nullptr; ///< of a sliced program: they say how often each bucket runs
};

/// Reports a performance warning when an order given in the model costs over ten times the
/// automatic one. Errors: order_given.h.
OrderChoices chooseOrders(const Model &model, const TableProgram &initial,
                          const PlanOptions &options, Diagnostics &diagnostics,
                          const OrderHints &hints = {});

} // namespace mpf
