// The models that `mpfc calibrate` runs: operations of all kinds of kernels, from a few entries to
// tables beyond the caches.
#pragma once

#include "dsl/model/model.h"

#include <string>
#include <vector>

namespace mpf::driver {

struct CalibrationModel {
  Model model; ///< one query, of the evidence; named for people
  bool forcedLog = false;
  ElementType type = ElementType::F64;
};

/// The same on every machine. Together they run for some seconds on one core.
std::vector<CalibrationModel> calibrationModels();

} // namespace mpf::driver
