// Searches for a better order of the variables that are not sliced. An order that was good before
// slicing is rarely the best one afterwards (Gray and Kourtis 2021, section 4.4).
//
// A bucket inside loops counts as often as it runs, so the search moves work out of inner loops.
// The greedy choice of variables (slice_draft.h) cannot do that.
#pragma once

#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/slicing/slice_draft.h"
#include "dsl/model/model.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// The start of the search. None: no search; Fresh: without a first order; Known: from the present
/// order. Fresh and Known find different orders.
enum class Reordering { None, Fresh, Known };

/// Runs the searches of one query. Only options.search.deadline and stop make results depend on
/// time. Not thread-safe.
class RestOrders {
public:
  /// All references must outlive this.
  RestOrders(const Model &model, const TableProgram &initial, const PlanOptions &options,
             DraftSlicer &slicer)
      : model_(model), initial_(initial), options_(options), slicer_(slicer) {}

  /// Returns `draft` with other orders; none if all orders found are incomplete. The search takes
  /// at most about 1 / `divisor` of options.searchSteps; another `seed` may find other orders.
  std::vector<SliceDraft> find(const SliceDraft &draft, Reordering mode, uint64_t divisor,
                               uint64_t seed);
  /// Elementary steps of all searches so far.
  uint64_t steps() const { return steps_; }
  bool stopped() const { return stopped_; } ///< the time or a signal ended a search

private:
  const Model &model_;
  const TableProgram &initial_;
  const PlanOptions &options_;
  DraftSlicer &slicer_;
  uint64_t steps_ = 0;
  bool stopped_ = false;
};

} // namespace mpf
