// Kernel plans by dice: valid, never good. Any split of digits into axes, any placement, any
// strides, vectors where they are allowed, any product tree. Emitters must print them all rightly.
#pragma once

#include "codegen/kernel/plan/nest_plan.h"

#include <optional>

namespace mpf::test {

/// The same seed gives the same plan everywhere. At most `limit` bucket addresses, 256 threads.
/// `type`: instead of a random floating-point type; of whole types in linear form.
NestPlan randomPlan(uint64_t seed, uint64_t limit = 6000,
                    std::optional<ElementType> type = std::nullopt);

} // namespace mpf::test
