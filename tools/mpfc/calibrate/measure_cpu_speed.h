// Measures the times of this machine's CPU for the operations of the calibration models.
#pragma once

#include "runtime/machine/machine_speed.h"
#include "tools/mpfc/calibrate/calibration_models.h"

#include <span>

namespace mpf::driver {

/// Returns the curves of one thread and the costs of further threads, of `threads` in all (1: the
/// shipped costs). Runs each model some times; compiles kernels with the system's compiler, if
/// there is one. Throws as sessions do.
CpuSpeed measureCpuSpeed(std::span<const CalibrationModel> models, unsigned threads);

/// Returns predicted over measured time of whole runs of the models on `threads` threads.
std::vector<double> cpuPredictedOverMeasured(std::span<const CalibrationModel> models,
                                             const CpuSpeed &speed, unsigned threads);

} // namespace mpf::driver
