// The predicted times of finished programs, for the planner. They are the sums that sessions and
// explain use, by the cost models of the executors (runtime/predict/).
#pragma once

#include "codegen/pipeline/compile_settings.h"
#include "codegen/pipeline/device_chooser.h"
#include "runtime/predict/place_program.h"

#include <functional>
#include <optional>

namespace mpf {

/// Returns the conditions of runs on a machine. Asks no driver.
PlacementConditions conditionsOn(KnownMachine &machine, unsigned threads, double expectedRuns);

/// Predicts programs for the devices, the machine and the runs of the settings, so that the planner
/// can choose between two. A CPU's operations have the times of their kernels, a GPU's those of the
/// table-driven kernels. If mpf chooses the devices and there is a GPU, operations are placed by
/// the schedule of the settings, and the run's share of opening the GPU is added. A GPU is looked
/// for only if the CPU takes longer than that share.
class ProgramPredictor : public DeviceChooser {
public:
  explicit ProgramPredictor(const CompileSettings &settings);

  double runUs(const Bundle &bundle, PredictedKernels kernels) const override;
  /// Returns none: bundles get no GPU kernels.
  std::optional<SpecialiseOptions> gpuFor(Bundle &) const override { return std::nullopt; }

private:
  PlacementConditions conditions_;
  DeviceRequest devices_;
  std::function<bool()> hasGpu_; ///< empty: operations run on the CPU alone, or on the GPU alone
};

/// Sets the machine (this_machine.h) and the chooser of the settings, from their other members. The
/// chooser predicts programs and takes no GPU.
void setMachine(CompileSettings &settings);

} // namespace mpf
