// From candidate orders to a program within the memory bound: as it is, with messages computed
// again, in slices, whichever takes least work.
#pragma once

#include "codegen/plan/initial/input_contents.h"
#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/passes/plan_pipeline.h"
#include "codegen/plan/program/plan_options.h"
#include "codegen/plan/program/table_program.h"
#include "codegen/plan/slicing/plan_trials.h"
#include "codegen/plan/slicing/slice_variables.h"
#include "dsl/model/model.h"

#include <optional>
#include <vector>

namespace mpf {

/// Everything that is known about one query while it is planned.
struct Planning {
  const Model &model;
  const Query &query;
  const TableProgram &initial;
  const InputContents &contents;
  const PlanOptions &options;
  const PlanHooks &hooks;
  const bool isSigned;
};

/// A program within the bound.
struct BoundedPlan {
  TableProgram program;
  uint64_t peakBytes = 0;
  double addresses = 0;    ///< of all buckets, slices counted
  bool recomputes = false; ///< messages are made more than once (pass_recompute_messages.h)
  SliceSearch slices;      ///< slices.sliced is empty: there are none
};

/// What the orders came to without slices.
struct WholePlans {
  std::optional<BoundedPlan> plan; ///< of the first order that is within the bound
  SmallestPeak smallest;           ///< of those above it
  double addresses = 1;            ///< of the first order, without a bound
  bool isHopeless = false;         ///< inputs and outputs alone take more than the bound
};
WholePlans planWhole(const Planning &planning, const std::vector<OrderChoice> &orders);

/// What slices came to.
struct SlicedPlans {
  std::optional<BoundedPlan> plan; ///< cheaper than that of the whole
  /// Of a search for the least memory, which is only made when nothing else helps; the same for all
  /// bounds below it: whoever is told it can have it.
  SmallestPeak smallest;
  double slicesTried = 1; ///< of that search, if slices took it there
};

/// The last attempt for a query of which `whole` has no plan, or one with messages computed again.
/// `orders`: complete ones, at least one.
SlicedPlans planSliced(const Planning &planning, const std::vector<OrderChoice> &orders,
                       const WholePlans &whole);

/// Of networks far beyond any memory the search gives up half way: those orders leave variables
/// out.
std::vector<OrderChoice> completeOrders(const TableProgram &initial,
                                        const std::vector<OrderChoice> &choices);

} // namespace mpf
