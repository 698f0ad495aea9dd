// What the planner may choose, and within which bounds. A plain value handed down; no globals.
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

/// Which messages a plan gives memory of their own, so that later runs of a session find them.
enum class KeptMessages {
  None,     ///< for a single run: least memory
  Constant, ///< those that depend on no input to be bound and no state observed
  All,      ///< all: a run computes only what depends on what changed since the last one
};

/// What the tables of a plan may take.
struct MemoryBound {
  uint64_t bytes = UINT64_MAX;
  std::string source; ///< "--max-memory", "available memory of this machine"
};

struct PlanOptions {
  OrderMethod order = OrderMethod::Auto;
  uint64_t seed = 0; ///< of the tie-breaks and restarts; the same seed gives the same plan
  ElementType type = ElementType::F64;
  /// Inputs and work arena together; a plan above it is sliced (slice_variables.h), and refused
  /// with ErrorKind::MemoryBound if that does not help.
  uint64_t maxMemoryBytes = UINT64_MAX;
  /// Asked at most once a query, when no plan without slices is within maxMemoryBytes: the bound of
  /// a device that has more but is slow to ask (a GPU). Nothing, or no more: the bound stands.
  std::function<std::optional<MemoryBound>()> largerBound;
  /// No session binds other values to factors that have some: equal tables may be shared.
  bool finalTables = false;
  KeptMessages keep = KeptMessages::None; ///< as far as the memory bound allows
  /// Times of GPU kernels, for a program that may run on one: where that pays and the memory bound
  /// allows, sums are cut into parts and operations marked as chains. Null: none are. Outlives the
  /// planning.
  DeviceCosts *chains = nullptr;
  /// Peaks above this give a performance warning.
  uint64_t warnMemoryBytes = uint64_t{4} << 30;
  /// When the search for orders ends. By default after a share of the predicted run, and after
  /// `searchSteps` elementary graph steps (about 8 ns each) at the latest: counts and not a time,
  /// so that the plan does not depend on the speed of the machine.
  SearchLimits search;
  uint64_t searchSteps = 200'000'000;
};

} // namespace mpf
