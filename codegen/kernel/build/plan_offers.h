// What the builder of a family offers to the choice among plans for the same work.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace mpf {

/// The time of a plan that does not exist: slower than any that does.
inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// Complete plans but for their names. The first `contenders` may be chosen; the others stand
/// beside the choice, for a choice by measuring, and do not change it.
template <class Plan> struct PlanOffers {
  std::vector<Plan> plans;
  size_t contenders = 0;
};

/// How many plans are asked for, and the least modelled time of the families asked before: builders
/// may leave out what cannot be faster.
struct PlanWish {
  size_t most = 1;
  double bestUs = kNever;
};

/// A plan with more blocks resident, see higher_occupancy_variant.h.
template <class Plan> struct OccupancyVariant {
  Plan plan;
  bool mostlyGains = false; ///< kernels of its kind mostly run faster as that variant
};

} // namespace mpf
