// Measures what this machine's GPU takes for whole runs of the calibration models, and for copies.
#pragma once

#include "runtime/machine/machine_speed.h"
#include "runtime/predict/gpu_work.h"
#include "tools/mpfc/calibrate/calibration_models.h"

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace mpf::driver {

/// A program that ran on the GPU.
struct GpuObservation {
  GpuWork work;
  double timeUs = 0; ///< of a run; in it the device is started and waited for once
};

/// Each model, with hardly any specialised kernel and with those that pay, its levels in launches
/// of their own and, where that makes a difference, in resident ones; and the sliced ones. Throws
/// as sessions do.
std::vector<GpuObservation> observeGpu(std::span<const CalibrationModel> models);

/// Of a run, by the speed: the operations and GpuSpeed::superstepUs.
double gpuRunUs(const GpuWork &work, const GpuSpeed &speed);

/// The figures of launches, slices and terms with which predictions come closest to what was
/// observed: least squares of the logarithms of predicted over measured, one figure after the
/// other, from `start`, which they leave only as far as that pays.
GpuSpeed fitGpuSpeed(std::span<const GpuObservation> observed, const GpuSpeed &start);

/// What the first program on a GPU waits for, once in a process, part by part.
using OpeningTimes = std::vector<std::pair<std::string_view, double>>;

/// Runs one of the models on the GPU, which nothing has opened in this process before, and gives
/// what that took: driver, context, modules, memory, the first copy; not compiling, which the cache
/// does away with, nor waiting for another thread that did one of these. Throws as sessions do.
OpeningTimes openGpu(std::span<const CalibrationModel> models);
/// GpuSpeed::openUs.
double openUsOf(const OpeningTimes &opening);

/// Copies, and the fit. The machine has a GPU.
GpuSpeed measureGpuSpeed(std::span<const GpuObservation> observed, const OpeningTimes &opening);

} // namespace mpf::driver
