// Draws kernel plans at random: valid, never good. Any split of digits into axes, any placement,
// any strides, vectors where they are allowed, any product tree. Emitters must print them all
// rightly.
#pragma once

#include "codegen/kernel/plan/nest_plan.h"

#include <optional>

namespace mpf::test {

/// Returns a random plan: the same seed gives the same plan everywhere. At most `limit` bucket
/// addresses, 256 threads. `type`: instead of a random floating-point type; whole types are in
/// linear form.
NestPlan randomPlan(uint64_t seed, uint64_t limit = 6000,
                    std::optional<ElementType> type = std::nullopt);

} // namespace mpf::test
