// The planner's options: what it may choose, and within which bounds. A plain value that is passed
// down; nothing is global.
#pragma once

#include "codegen/plan/program/search_stop.h"
#include "dsl/support/semiring.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace mpf {

class DeviceCosts; // device_costs.h

enum class OrderMethod {
  Auto,      ///< the whole portfolio (order_portfolio.h), as long as it may pay
  MinFill,   ///< one greedy run: fewest fill-in edges first
  MinWeight, ///< one greedy run: smallest bucket first
  Sweep,     ///< breadth-first layers from the rim: grids and chains
};

/// Which messages keep their memory for themselves, so that later runs of a session need not
/// compute them again.
enum class KeptMessages {
  None,     ///< for a single run: least memory
  Constant, ///< those that depend on no bound input and no observed state
  All,      ///< all: a run computes only what depends on changes since the last one
};

/// The memory that the tables of a plan may take, and who set this bound.
struct MemoryBound {
  uint64_t bytes = UINT64_MAX;
  std::string source; ///< "--max-memory", "available memory of this machine"
};

struct PlanOptions {
  OrderMethod order = OrderMethod::Auto;
  uint64_t seed = 0; ///< for tie-breaks and restarts; the same seed gives the same plan
  ElementType type = ElementType::F64;
  /// Bound on input and work arena together. A plan above it is sliced (slice_variables.h); if that
  /// does not help, the query is refused with ErrorKind::MemoryBound.
  uint64_t maxMemoryBytes = UINT64_MAX;
  /// The bound of a device that has more memory but is slow to ask (a GPU). Called at most once per
  /// query, when no plan without slices is within maxMemoryBytes. If it returns nothing, or no
  /// larger bound, maxMemoryBytes stays.
  std::function<std::optional<MemoryBound>()> largerBound;
  /// True: no session binds other values to factors that have values, so equal tables may be
  /// shared.
  bool finalTables = false;
  KeptMessages keep = KeptMessages::None; ///< as far as the memory bound allows
  /// Times of GPU kernels, for a program that may run on a GPU. With them the planner cuts sums
  /// into splits, marks chains and lays tables out, where that saves time and the memory bound
  /// allows it. Null: it does none of that. Must outlive the planning.
  DeviceCosts *deviceCosts = nullptr;
  /// A plan with a peak above this gives a performance warning.
  uint64_t warnMemoryBytes = uint64_t{4} << 30;
  /// When the search for orders ends. By default after a share of the predicted run time, and after
  /// `searchSteps` elementary graph steps (about 8 ns each) at the latest. Both are counted in
  /// steps, not measured, so that the plan does not depend on the speed of the machine.
  SearchLimits search;
  uint64_t searchSteps = 200'000'000;
};

} // namespace mpf
