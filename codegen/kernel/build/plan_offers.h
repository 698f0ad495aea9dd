// The plans that the builder of a family offers for one piece of work. build_kernel.h chooses among
// the plans of all families.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace mpf {

/// The modelled time, in microseconds, of a plan that does not exist: slower than any.
inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// Plans that are complete except for their names. One of the first `contenders` may become the
/// choice of the model. The other plans are only candidates for autotune: how many there are never
/// changes the choice of the model.
template <class Plan> struct PlanOffers {
  std::vector<Plan> plans;
  size_t contenders = 0;
};

/// The request of build_kernel.h to a builder.
struct PlanWish {
  size_t most = 1;        ///< the greatest number of plans that the caller wants
  double bestUs = kNever; ///< best time of the families before; slower plans may be left out
};

/// The same kernel with more resident blocks (higher_occupancy_variant.h).
template <class Plan> struct OccupancyVariant {
  Plan plan;
  bool mostlyGains = false; ///< measured: kernels of this kind mostly run faster as the variant
};

} // namespace mpf
