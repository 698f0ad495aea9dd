// Searches for the global order of an initial program (one operation over everything), and returns
// the candidates.
//
// Every component gets one greedy run; among equal components only the first does
// (order_components.h). Rounds of search (order_search.h) follow. Each goes to the component with
// the greatest predicted cost in proportion to the search that it has had (search_components.h).
// The cheapest order of each component is taken. The fastest is returned too, for a caller who can
// predict whether its program is faster (faster_order.h).
//
// The search lasts for SearchLimits::rounds; or for SearchLimits::seconds; or, by default, until it
// has taken its share of the predicted run time. That share is counted in elementary steps, so that
// by default no clock decides. In all three cases it ends early at SearchLimits::deadline, and soon
// after SearchLimits::stop is set (by Ctrl-C in mpfc). Then the best order so far is taken, and
// SearchEffort::stopped is set.
#pragma once

#include "codegen/plan/initial/input_contents.h"
#include "codegen/plan/order/order_components.h"
#include "codegen/plan/order/search_components.h"
#include "codegen/plan/program/plan_options.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/table_program.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <optional>
#include <vector>

namespace mpf {

/// One candidate: an order that the passes of the planner start from.
struct OrderChoice {
  /// Global order, most significant first: sliced variables, output variables, then the eliminated
  /// variables, the first eliminated last. Incomplete if the search gave an order up, because its
  /// messages are too large for any memory (completeOrders in codegen/plan/plan_within_bound.h).
  std::vector<VarId> order;
  size_t slicedCount = 0;         ///< number of first variables conditioned on (slice_levels.h)
  LoopEnds ends = LoopEnds::Last; ///< where their loops end; Last if an assignment is decoded
  double cost = 0;                ///< modelled elementary operations; may be infinite
  RunWork work;                   ///< work of a run without slices, as far as its buckets tell
  RunWork joinedWork;             ///< that work where buckets are joined (order_work.h)
  double log2Largest = 0;         ///< log2 of the entries of the largest message
};

struct OrderChoices {
  /// One or two: the cheapest order, and the order of the smallest largest message if it differs.
  std::vector<OrderChoice> choices;
  /// The order of the shortest predicted run, if it differs from the cheapest.
  std::optional<OrderChoice> fastest;
  SearchEffort effort;
};

/// Data that a search for orders may use, and who hears of it. Each may be null.
struct OrderHints {
  const std::vector<VarId> *known =
      nullptr; ///< a global order of all variables, which the search may take;
               ///< not used where an order is given in the model
  const InputLoops *loops = nullptr;          ///< how often each bucket of a sliced program runs
  const InputContents *contents = nullptr;    ///< which tables are equal (order_components.h)
  const SearchListener *afterRound = nullptr; ///< of the search (search_components.h)
};

/// Searches as described above. Returns orders without slices. Reports a performance warning when
/// an order given in the model costs over ten times the automatic one. Throws Error(BadInput) when
/// orders given in the model contradict each other.
OrderChoices chooseOrders(const Model &model, const TableProgram &initial,
                          const PlanOptions &options, Diagnostics &diagnostics,
                          const OrderHints &hints = {});

} // namespace mpf
