// Cuts a kernel plan down to one block. Threads, tiles, segments and loops stay as they are, so the
// block of a kernel for 10^9 entries runs on the CPU.
#pragma once

#include "codegen/kernel/kernel_plan.h"

namespace mpf::test {

/// Gives every block axis extent 1, and its digit the extent that the other axes cover. Tables are
/// dense in the same order of digits.
KernelPlan oneBlock(KernelPlan plan);

} // namespace mpf::test
