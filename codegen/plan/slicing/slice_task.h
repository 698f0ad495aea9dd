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
  /// Orders of all variables that were tried without slices, the cheapest first; at least one.
  std::vector<OrderChoice> orders;
  double wholeAddresses = 1; ///< of the first one's program, without a bound
  /// Addresses of the plan without slices that fits the bound; infinite: no such plan is known.
  double knownAddresses = std::numeric_limits<double>::infinity();
  uint64_t inputBytes = 0; ///< what no slicing can save
  bool recomputes = false; ///< the trial's programs may compute messages again
};

} // namespace mpf
