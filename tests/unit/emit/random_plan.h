// Kernel plans by dice: valid, never good. Any split of digits into axes, any placement, any
// strides, vectors where they are allowed, any product tree. Emitters must print them all rightly.
#pragma once

#include "codegen/kernel/kernel_plan.h"

namespace mpf::test {

/// The same seed gives the same plan everywhere. At most `limit` bucket addresses, 256 threads.
KernelPlan randomPlan(uint64_t seed, uint64_t limit = 6000);

} // namespace mpf::test
