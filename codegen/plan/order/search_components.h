// Which component of a query gets the next round of search, and when the search ends.
#pragma once

#include "codegen/plan/order/order_search.h"
#include "codegen/plan/program/plan_options.h"

#include <vector>

namespace mpf {

/// The effort of a search; SearchLimits::rounds repeats it.
struct SearchEffort {
  uint64_t rounds = 0;    ///< of all components together
  uint64_t steps = 0;     ///< elementary graph steps of all threads together
  double cost = 0;        ///< modelled operations of the cheapest order
  bool truncated = false; ///< a first run was cut off: the rounds do not repeat the order
  bool stopped = false;   ///< by the clock or a signal, not because more would not have paid
};

/// Runs rounds until options.search is used up (`stop` is its clock); adds to effort.rounds and
/// effort.stopped.
void searchComponents(std::vector<OrderSearch> &components, const PlanOptions &options,
                      const SearchStop &stop, SearchEffort &effort);

} // namespace mpf
