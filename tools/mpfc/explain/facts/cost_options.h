// What the times of a plan are predicted for.
#pragma once

#include "codegen/kernel/build/kernel_options.h"

#include <cstdint>
#include <functional>
#include <string>

namespace mpf {

struct CostOptions {
  KernelOptions kernel;            ///< target, element type, value form
  double expectedRuns = 100;       ///< over which kernels must pay on a GPU,
  double expectedCpuRuns = 1;      ///< and on the CPU
  uint64_t hostBytes = UINT64_MAX; ///< what the host has for tables
  std::string device = "auto";     ///< that the run is asked to take: "auto", "cpu", "gpu"
  std::function<bool()> hasGpu;    ///< auto could take one like the target; empty: it could
};

} // namespace mpf
