// Predicted times of a bundle's operations on a GPU. The time of each launch (gpu_work.h,
// runtime/schedule/launches/launch_time.h) is divided among its operations.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/machine/machine_speed.h"
#include "runtime/predict/gpu_work.h"

#include <vector>

namespace mpf {

/// Returns the time of each operation in one run, all slices, in microseconds.
std::vector<double> predictGpu(const GpuWork &work, const GpuSpeed &speed);
std::vector<double> predictGpu(const Bundle &bundle, const GpuSpeed &speed);

} // namespace mpf
