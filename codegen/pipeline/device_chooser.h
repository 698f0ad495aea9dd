// DEVICE CHOOSER: the prediction and the choice for a finished program. Predicted times come from
// the cost models of the executors, so the runtime implements this interface
// (runtime/choose/program_predictor.h).
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/plan/program/plan_options.h"
#include "codegen/specialise/specialise_options.h"

#include <optional>

namespace mpf {

/// The devices and runs that a chooser is for are fixed when it is made. Thread-safe.
class DeviceChooser {
public:
  DeviceChooser() = default;
  DeviceChooser(const DeviceChooser &) = delete;
  DeviceChooser &operator=(const DeviceChooser &) = delete;
  virtual ~DeviceChooser() = default;

  /// Returns the predicted microseconds of one run of a bundle without GPU kernels, on the devices
  /// that it is for. Equal bundles get equal predictions.
  virtual double runUs(const Bundle &bundle, PredictedKernels kernels) const = 0;

  /// Returns the GPU for which the bundle gets kernels, or none. Changes nothing of the bundle but
  /// Bundle::gpuFault. Throws Error(Device) if a GPU is required and there is none.
  virtual std::optional<SpecialiseOptions> gpuFor(Bundle &bundle) const = 0;
};

} // namespace mpf
