// What conditioning leaves, in other orders: an order that was good before is rarely the best one
// for the rest (Gray and Kourtis 2021, section 4.4).
//
// Buckets inside loops count as often as they run, so that a search moves work out of inner loops,
// which the greedy choice of variables (slice_draft.h) cannot.
#pragma once

#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/slicing/slice_draft.h"
#include "dsl/model/model.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// What a search for another order of the rest begins with; None: there is none. Either finds what
/// the other one misses.
enum class Reordering { None, Fresh, Known };

/// Deterministic, but for options.search.deadline and stop. Not thread-safe.
class RestOrders {
public:
  /// All references must outlive it.
  RestOrders(const Model &model, const TableProgram &initial, const PlanOptions &options,
             SliceSteps &slicer)
      : model_(model), initial_(initial), options_(options), slicer_(slicer) {}

  /// `draft` with other orders. The search takes the `share`-th part of options.searchSteps;
  /// another `seed` finds others.
  std::vector<SliceDraft> find(const SliceDraft &draft, Reordering mode, uint64_t share,
                               uint64_t seed);
  /// Elementary steps of all searches so far.
  uint64_t steps() const { return steps_; }
  bool stopped() const { return stopped_; }

private:
  const Model &model_;
  const TableProgram &initial_;
  const PlanOptions &options_;
  SliceSteps &slicer_;
  uint64_t steps_ = 0;
  bool stopped_ = false;
};

} // namespace mpf
