// Measures the times of this machine's GPU for whole runs of the calibration models, and for
// copies.
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
  double timeUs = 0; ///< time of a run, with one start of the device and one wait
};

/// Runs each model with hardly any specialised kernels, and with those that pay. Levels have
/// separate launches and, if that makes a difference, resident ones. Runs the sliced models too.
/// Throws as sessions do.
std::vector<GpuObservation> observeGpu(std::span<const CalibrationModel> models);

/// Returns the predicted time of a run: its operations and GpuSpeed::superstepUs.
double gpuRunUs(const GpuWork &work, const GpuSpeed &speed);

/// Fits the figures of launches, slices and terms to the observed runs. It takes least squares of
/// the logarithms of predicted over measured time, one figure after the other, from `start`.
/// Figures leave `start` only as far as that pays.
GpuSpeed fitGpuSpeed(std::span<const GpuObservation> observed, const GpuSpeed &start);

/// The times for which the first program of a process waits for the GPU, by part.
using OpeningTimes = std::vector<std::pair<std::string_view, double>>;

/// Runs one of the models on the GPU and returns the times of opening it: driver, context, modules,
/// memory, the first copy. Nothing may have opened the GPU in this process before. Leaves out
/// compiling, which the cache avoids, and waiting for another thread that opens a part. Throws as
/// sessions do.
OpeningTimes openGpu(std::span<const CalibrationModel> models);
/// Returns the sum of the parts, for GpuSpeed::openUs.
double openUsOf(const OpeningTimes &opening);

/// Measures copies and fits the other figures. The machine must have a GPU.
GpuSpeed measureGpuSpeed(std::span<const GpuObservation> observed, const OpeningTimes &opening);

} // namespace mpf::driver
