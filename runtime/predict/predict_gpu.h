// Predicted times of a bundle's operations on a GPU: those of the launches of its launch plan
// (schedule/launch_plan.h), each divided among its operations.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/predict/machine_speed.h"
#include "runtime/schedule/launch_plan.h"

#include <vector>

namespace mpf {

/// By launch, once each, behind the launch before it. Specialised kernels and chains take what
/// their plans predict (BundleKernel::predictedUs).
std::vector<double> launchTimesUs(const Bundle &bundle, const LaunchPlan &plan,
                                  const GpuSpeed &speed);

/// By operation, in one run, all slices. A bundle without GPU kernels is predicted with the
/// table-driven ones alone.
std::vector<double> predictGpu(const Bundle &bundle, const GpuSpeed &speed);

} // namespace mpf
