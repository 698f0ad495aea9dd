// What the steps of a lane program read, write and compute, beside what they took.
#pragma once

#include "codegen/bundle/lanes/linear_plan.h"
#include "tools/mpf-bench/measure/case_sweep.h"

#include <vector>

namespace mpf::bench {

/// `seconds`: by step, of one case; empty where no case was answered in linear arithmetic, and so
/// is the result.
std::vector<SweepStep> sweepSteps(const LaneProgram &program, const LinearPlan &plan,
                                  const std::vector<double> &seconds);

} // namespace mpf::bench
