// The methods and restarts that compete for one connected part.
#pragma once

#include "codegen/plan/order_problem.h"
#include "codegen/plan/plan_options.h"

namespace mpf {

struct OrderSearchResult {
  EliminationOrder cheapest;
  EliminationOrder smallest; ///< least largest message among the orders that were completed
};

/// `stepsLeft` is the budget shared by all parts; the first run is always made. Deterministic.
OrderSearchResult searchOrders(const OrderProblem &problem, const PlanOptions &options,
                               uint64_t &stepsLeft);

} // namespace mpf
