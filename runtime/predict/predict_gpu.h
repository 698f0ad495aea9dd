// Predicted times of a bundle's operations on a GPU: those of its launches (gpu_work.h,
// schedule/launch_time.h), each divided among its operations.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/machine/machine_speed.h"
#include "runtime/predict/gpu_work.h"

#include <vector>

namespace mpf {

/// By operation, in one run, all slices.
std::vector<double> predictGpu(const GpuWork &work, const GpuSpeed &speed);
std::vector<double> predictGpu(const Bundle &bundle, const GpuSpeed &speed);

} // namespace mpf
