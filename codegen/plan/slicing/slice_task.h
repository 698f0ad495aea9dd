// What a search for variables to slice is given, and what it gives back.
#pragma once

#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/program/table_program.h"
#include "codegen/plan/slicing/plan_trials.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace mpf {

/// Runs the passes for an order; keeps the program when it is within the bound and takes less work
/// than the one before.
using SliceTrial = std::function<TrialResult(const OrderChoice &order)>;

struct SliceSearch {
  bool fits = false; ///< the cheapest program within the bound that `trial` saw is the plan
  double slices = 1;
  std::vector<VarId> sliced; ///< outermost loop first; when it does not fit: as far as it went
  bool stopped = false;      ///< a search for orders was ended by the clock or a signal
};

struct SliceTask {
  /// The orders that were tried without slices, cheapest first; at least one. Each holds all
  /// variables.
  std::vector<OrderChoice> orders;
  double wholeAddresses = 1; ///< work of the first order's program, without a bound
  /// Work of the plan within the bound that is known without slices; infinite: there is none.
  double knownAddresses = std::numeric_limits<double>::infinity();
  uint64_t inputBytes = 0; ///< slicing does not make inputs smaller
  bool recomputes = false; ///< the trial's programs may compute messages again
};

} // namespace mpf
