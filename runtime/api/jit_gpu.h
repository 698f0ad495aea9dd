// Whether a query is compiled for a GPU, decided once its plan is known.
#pragma once

#include "codegen/pipeline.h"

#include <string>

namespace mpf {

/// `device` as in SessionOptions: "cpu": no GPU kernels; "gpu": for the machine's GPU,
/// Error(Device) when there is none; "auto": only where a GPU is wanted (choose_device.h) and the
/// planner knows it. The driver is not touched before the plan says that it could pay: opening it
/// costs more than most queries.
GpuChoice chooseGpu(const std::string &device, double expectedRuns);

/// The machine has a GPU, and kernels are planned for its kind. Opens no context.
bool plannerKnowsGpu();

/// For one named architecture, whatever machine this is. Throws Error(Usage) for unknown ones.
GpuChoice gpuNamed(const std::string &arch, double expectedRuns);

} // namespace mpf
