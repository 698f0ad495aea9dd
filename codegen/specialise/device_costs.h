// Implements the planner's questions with the kernels' cost models.
#pragma once

#include "codegen/plan/program/device_costs.h"
#include "codegen/specialise/planned_kernels.h"
#include "codegen/specialise/specialise_options.h"

#include <memory>

namespace mpf {

/// Makes the device costs. Beside chains, an operation counts with its floor: a chain has to be
/// faster than the best kernels possible. Not thread-safe; answers are remembered. Kernels that
/// were planned for them go to `planned`, if it is not null.
std::unique_ptr<DeviceCosts> makeDeviceCosts(const SpecialiseOptions &options, ElementType type,
                                             bool forcedLog,
                                             std::shared_ptr<PlannedKernels> planned = nullptr);

} // namespace mpf
