// The conditions for which the times of a plan are predicted.
#pragma once

#include "codegen/kernel/build/kernel_options.h"
#include "codegen/machine/device_request.h"
#include "codegen/plan/program/run_costs.h"
#include "codegen/specialise/planned_kernels.h"
#include "runtime/machine/stored_speed.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace mpf {

struct CostOptions {
  KernelOptions kernel;            ///< target, element type, value form
  double expectedRuns = 100;       ///< runs over which compiling a GPU kernel must pay
  double planningRuns = 100;       ///< and runs over which planning one must pay
  double expectedCpuRuns = 1;      ///< runs over which compiling a CPU kernel must pay
  uint64_t hostBytes = UINT64_MAX; ///< the host's memory for tables
  DeviceRequest devices;           ///< devices of the run
  unsigned threads = 0;            ///< threads of the CPU; 0: one per core
  MachineSpeed speed = shippedSpeed();
  SpeedOrigin speedOrigin = SpeedOrigin::Shipped; ///< of `speed`
  double tableKernelsUs = 0;                      ///< PlacementConditions::kernelsUs
  RunCosts search;                         ///< costs for the search for an order, on these threads
  std::shared_ptr<PlannedKernels> planned; ///< kernels that planning has planned; null: none
  std::function<bool()> hasGpu;            ///< whether "auto" can use a GPU; empty: it can
};

} // namespace mpf
