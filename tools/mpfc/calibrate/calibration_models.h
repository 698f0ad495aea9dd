// The models that `mpfc calibrate` runs. They have operations of all kinds of kernels, from a few
// entries to tables beyond the caches.
#pragma once

#include "dsl/model/model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf::driver {

struct CalibrationModel {
  Model model; ///< one query, of the evidence; its name is for users
  bool forcedLog = false;
  ElementType type = ElementType::F64;
  uint64_t maxMemoryBytes = 0; ///< bound on the memory of tables; 0: the machine's default
};

/// Returns the models, equal on every machine. Together they run for some seconds on one core.
std::vector<CalibrationModel> calibrationModels();
/// Returns models that run in slices within their memory. They measure the time of a GPU to enter
/// slices and to add them up.
std::vector<CalibrationModel> slicedModels();

} // namespace mpf::driver
