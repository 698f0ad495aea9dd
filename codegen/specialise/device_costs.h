// The kernels' cost models behind the planner's questions.
#pragma once

#include "codegen/plan/program/device_costs.h"
#include "codegen/specialise/planned_kernels.h"
#include "codegen/specialise/specialise_options.h"

#include <memory>

namespace mpf {

/// Beside chains a single operation is given its floor: a chain has to beat the best there could
/// be. Not thread-safe; answers are remembered.
/// The kernels that were planned for them go to `planned`, if it is not null.
std::unique_ptr<DeviceCosts> makeDeviceCosts(const SpecialiseOptions &options, ElementType type,
                                             bool forcedLog,
                                             std::shared_ptr<PlannedKernels> planned = nullptr);

} // namespace mpf
