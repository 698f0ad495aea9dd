// Which device would run which bucket, and what each way to spread them is predicted to take.
#pragma once

#include "codegen/bundle/bundle.h"
#include "tools/mpfc/explain/facts/cost_options.h"
#include "tools/mpfc/explain/facts/explanation.h"

namespace mpf {

/// Replaces the buckets' times, devices and costs, the phases of running, and autoDevice by those
/// of the placement that a run would choose (runtime/predict/place_program.h), and sets
/// `placements` and the time line.
/// To be called after addCosts; `bundle` is of the same program, without GPU kernels.
void addPlacement(const Bundle &bundle, const CostOptions &options, QueryExplanation &explanation);

} // namespace mpf
