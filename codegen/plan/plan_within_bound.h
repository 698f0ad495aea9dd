// Makes a program within the memory bound from candidate orders. A program may stay as it is,
// compute some messages more than once (pass_recompute_messages.h), or run in slices
// (slice_variables.h). Slices may also make a program faster that is within the bound anyway
// (slice_for_cache.h).
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

/// Everything that is known about one query while it is planned. All references must outlive this.
struct Planning {
  const Model &model;
  const Query &query;
  const TableProgram &initial;
  const InputContents &contents;
  const PlanOptions &options;
  const PlanHooks &hooks;
  const bool isSigned; ///< hasSignedProducts (program_memory.h)
};

/// A program within the bound.
struct BoundedPlan {
  TableProgram program;
  uint64_t peakBytes = 0;
  double addresses = 0;    ///< bucket addresses of the whole run, in all slices
  bool recomputes = false; ///< messages are computed more than once (pass_recompute_messages.h)
  SliceSearch slices;      ///< slices.sliced is empty if there are no slices
};

/// The plans of the candidate orders without slices.
struct WholePlans {
  std::optional<BoundedPlan> plan; ///< the plan of the first order within the bound
  SmallestPeak smallest;           ///< smallest of the plans above the bound
  double addresses = 1;            ///< work of the first order's plan without a bound
  bool isHopeless = false;         ///< inputs and outputs alone take more than the bound
};
/// Plans the query without slices, but with messages computed again if need be. Takes the first
/// order that has a plan within the bound. Takes another one if its program costs less: an order
/// that makes subprograms equal (stationary_order.h), or else `fastest`, if faster_order.h prefers
/// it to the first of `orders`. `orders` has at least one element, else Error(Internal).
WholePlans planWhole(const Planning &planning, const std::vector<OrderChoice> &orders,
                     const std::optional<OrderChoice> &fastest = {});

/// Returns the plan in slices that is predicted to make the first runs clearly shorter than
/// `whole`, a plan without slices: their tables stay in the cache and touch fewer pages for the
/// first time. Costs no more than it can save (questionPays). None: memory has no price, messages
/// are kept for later runs, or nothing predicts programs (PlanOptions::programUs). `orders`: as in
/// planSliced. The question is priced, and slices are drafted, by the first of them. `whole` may be
/// the plan of another one; the programs themselves are compared.
std::optional<BoundedPlan> planFasterSliced(const Planning &planning,
                                            const std::vector<OrderChoice> &orders,
                                            const BoundedPlan &whole);

/// The plan in slices, if there is one.
struct SlicedPlans {
  std::optional<BoundedPlan> plan; ///< only if it is cheaper than the plan without slices
  /// The smallest peak that a search for the least memory found. This search runs only when nothing
  /// else stays within the bound. Its result does not depend on the bound, so a user who sets the
  /// bound to this peak gets a plan.
  SmallestPeak smallest;
  double slicesTried = 1; ///< slices of the plan with that peak; 1: it has no slices
};

/// Plans the query in slices. Call it when `whole` has no plan, or one that computes messages
/// again; then it searches only if that plan costs much more work than without a bound. `orders`
/// has at least one element (else Error(Internal)), each of which holds every variable.
SlicedPlans planSliced(const Planning &planning, const std::vector<OrderChoice> &orders,
                       const WholePlans &whole);

/// The choices whose order holds every variable. For networks whose messages fit no memory, the
/// search for orders gives up half way and leaves variables out of the order.
std::vector<OrderChoice> completeOrders(const TableProgram &initial,
                                        const std::vector<OrderChoice> &choices);

} // namespace mpf
