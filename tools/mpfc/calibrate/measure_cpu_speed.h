// Measures what this machine's CPU takes for the operations of the calibration models.
#pragma once

#include "runtime/machine/machine_speed.h"
#include "tools/mpfc/calibrate/calibration_models.h"

#include <span>

namespace mpf::driver {

/// The curves of one thread, then what further threads add, of `threads` in all (1: the shipped
/// figures). Runs each model some times; compiles kernels with the system's compiler, if there is
/// one. Throws as sessions do.
CpuSpeed measureCpuSpeed(std::span<const CalibrationModel> models, unsigned threads);

/// Whole runs of the models on `threads` threads: predicted over measured time.
std::vector<double> cpuPredictedOverMeasured(std::span<const CalibrationModel> models,
                                             const CpuSpeed &speed, unsigned threads);

} // namespace mpf::driver
