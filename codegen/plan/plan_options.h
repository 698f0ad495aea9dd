// What the planner may choose, and within which bounds. A plain value handed down; no globals.
#pragma once

#include "dsl/support/semiring.h"

#include <cstdint>

namespace mpf {

enum class OrderMethod {
  Auto,      ///< the cheapest of all methods below, more restarts while they are worth it
  MinFill,   ///< one greedy run: fewest fill-in edges first
  MinWeight, ///< one greedy run: smallest bucket first
  Sweep,     ///< breadth-first layers from the rim: grids and chains
};

struct PlanOptions {
  OrderMethod order = OrderMethod::Auto;
  uint64_t seed = 0; ///< of the tie-breaks and restarts; the same seed gives the same plan
  ElementType type = ElementType::F64;
  /// Inputs and work arena together; a plan above it is refused with ErrorKind::MemoryBound.
  uint64_t maxMemoryBytes = UINT64_MAX;
  /// Peaks above this give a performance warning.
  uint64_t warnMemoryBytes = uint64_t{4} << 30;
  /// Elementary graph steps all orders together may take (about 5 ns each). A count and not a
  /// time: the plan must not depend on the speed of the machine.
  uint64_t searchSteps = 100'000'000;
};

} // namespace mpf
