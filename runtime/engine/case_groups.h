// Cases of one run whose answers lie so far apart that its tables, which have one scale each
// (codegen/bundle/table_state.h), may have left linear arithmetic for them: which of them a run
// holds in it. So a case that is improbable takes no other with it.
#pragma once

#include "dsl/support/semiring.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// Binary orders that the answers of a run's cases may span: half of what a table may, for its
/// entries of one case differ too.
int32_t ordersOfARun(ElementType type);

/// The cases at `places` in groups by their magnitudes in the run (CaseParts::magnitudes), one
/// each, the largest first; those of a group, in ascending order of places, lie within `orders` of
/// each other. Without cases whose answers are all 0.
std::vector<std::vector<uint32_t>> groupsByMagnitude(std::span<const int64_t> magnitudes,
                                                     std::span<const uint32_t> places,
                                                     int32_t orders);

} // namespace mpf
