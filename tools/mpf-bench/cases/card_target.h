// The figures of the GPU at hand, for floors. A target (codegen/kernel/form/target.h) is one card
// of its architecture: "sm_90" is an H200, and an H100 has two thirds of its bandwidth.
#pragma once

#include "codegen/kernel/form/target.h"
#include "tools/mpf-bench/measure/time_gpu_lanes.h"

namespace mpf::bench {

/// Returns the target of a card. Rates that the driver does not report are those of its
/// architecture's target, else those of the reference target. Peaks follow from multiprocessors and
/// clock. Copies run at 7/8 of the memory's rate, as in the targets.
Target targetOfCard(const CardRates &rates);

} // namespace mpf::bench
