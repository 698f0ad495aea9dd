// The figures with which the planner predicts runs on a device (codegen/plan/program/run_costs.h),
// made from the curves and rates of the device's speed.
#pragma once

#include "codegen/machine/machine.h"
#include "codegen/plan/program/run_costs.h"
#include "dsl/support/semiring.h"

namespace mpf {

/// The arithmetic of a run.
struct RunArithmetic {
  ElementType type = ElementType::F64;
  bool logs = false; ///< logarithms throughout (CompileSettings::forcedLog)
};

/// Returns the costs of a run on `threads` (at least one) threads of the CPU.
RunCosts cpuRunCosts(const CpuSpeed &speed, RunArithmetic values, unsigned threads);
/// Returns the costs of a run on a GPU in linear arithmetic; the search runs on `threads` threads
/// of the CPU.
RunCosts gpuRunCosts(const GpuSpeed &speed, ElementType type, unsigned threads);
/// Returns the costs of a run on a device of either kind, by the functions above.
RunCosts deviceRunCosts(const Device &device, RunArithmetic values, unsigned threads);

} // namespace mpf
