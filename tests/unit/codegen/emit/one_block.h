// A kernel plan cut down to one block: threads, tiles, segments and loops stay what they are, so
// the block of a kernel for 10^9 entries runs on the CPU.
#pragma once

#include "codegen/kernel/kernel_plan.h"

namespace mpf::test {

/// Every block axis gets extent 1 and its digit what the other axes cover; tables are dense in the
/// same order of digits.
KernelPlan oneBlock(KernelPlan plan);

} // namespace mpf::test
