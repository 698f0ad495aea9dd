// Groups the cases of one run by magnitude. The tables of a run have one scale each
// (codegen/bundle/table_state.h). If answers lie far apart, a run may leave linear arithmetic for
// all of them. A run for each group keeps an improbable case from taking the others out of linear
// arithmetic.
#pragma once

#include "dsl/support/semiring.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// Returns the binary orders that the answers of a run's cases may span: half of those that a table
/// may span, because the entries of one case differ too.
int32_t ordersOfARun(ElementType type);

/// Returns the cases at `places` in groups by their magnitudes in the run (CaseParts::magnitudes,
/// one for each place), the largest first. The magnitudes of a group lie within `orders` of each
/// other; its places ascend. Leaves out cases whose answers are all 0.
std::vector<std::vector<uint32_t>> groupsByMagnitude(std::span<const int64_t> magnitudes,
                                                     std::span<const uint32_t> places,
                                                     int32_t orders);

} // namespace mpf
