// The device of each bucket, and the predicted times of all placements.
#pragma once

#include "codegen/bundle/bundle.h"
#include "tools/mpfc/explain/facts/cost_options.h"
#include "tools/mpfc/explain/facts/explanation.h"

namespace mpf {

/// Replaces the buckets' times, devices and costs, the phases of running, and autoDevice by those
/// of the placement that a run would choose (runtime/predict/place_program.h). Sets `placements`
/// and the time line. Call it after addCosts; `bundle` is of the same program, without GPU kernels.
void addPlacement(const Bundle &bundle, const CostOptions &options, QueryExplanation &explanation);

} // namespace mpf
