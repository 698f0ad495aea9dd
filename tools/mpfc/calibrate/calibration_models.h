// The models that `mpfc calibrate` runs: operations of all kinds of kernels, from a few entries to
// tables beyond the caches.
#pragma once

#include "dsl/model/model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf::driver {

struct CalibrationModel {
  Model model; ///< one query, of the evidence; named for people
  bool forcedLog = false;
  ElementType type = ElementType::F64;
  uint64_t maxMemoryBytes = 0; ///< of tables; 0: what there is
};

/// The same on every machine. Together they run for some seconds on one core.
std::vector<CalibrationModel> calibrationModels();
/// Models that run in slices within their memory, for what a GPU takes to enter slices and to add
/// them up.
std::vector<CalibrationModel> slicedModels();

} // namespace mpf::driver
