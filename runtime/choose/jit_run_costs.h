// The figures with which the planner predicts runs on a machine (codegen/plan/program/run_costs.h),
// made from the curves and rates of the machine's speed.
#pragma once

#include "codegen/pipeline/compile_settings.h"
#include "codegen/plan/program/plan_options.h"
#include "runtime/machine/machine_speed.h"

namespace mpf {

/// The arithmetic of a run.
struct RunValues {
  ElementType type = ElementType::F64;
  bool logs = false; ///< logarithms throughout (CompileSettings::forcedLog)
};

/// Returns the costs of a run on `threads` (at least one) threads of the CPU.
RunCosts cpuRunCosts(const CpuSpeed &speed, RunValues values, unsigned threads);
/// Returns the costs of a run on a GPU in linear arithmetic; the search runs on `threads` threads
/// of the CPU.
RunCosts gpuRunCosts(const GpuSpeed &speed, ElementType type, unsigned threads);

/// Returns the costs for tables of this type and for the device, arithmetic and expected runs
/// (default: one) of the settings. Programs that run here use the stored speed and all cores of
/// this machine. Programs that are printed or may run elsewhere use the shipped speed and one
/// thread, so that every machine prints the same. The threads of the settings have no influence:
/// results are equal for any number. The device "auto" counts as the CPU.
RunCosts runCostsFor(const CompileSettings &settings, ElementType type);
/// Returns the costs on a number of threads (at least one). They predict runs on so many threads;
/// plans use runCostsFor.
RunCosts runCostsOn(const CompileSettings &settings, ElementType type, unsigned threads);

/// Returns the GPU of OtherDevice if device and schedule are "auto": the named GPU, or that of this
/// machine.
OtherDevice otherDeviceFor(const CompileSettings &settings, ElementType type);

/// Returns a function that predicts whole programs for the same device, machine and runs, so that
/// the planner can choose between two. A CPU's operations have the times of their kernels, a GPU's
/// those of the table-driven kernels. If the device is "auto" and there is a GPU, operations are
/// placed by the schedule of the settings, and the run's share of opening the GPU is added. The
/// function looks for a GPU only if the CPU takes longer than that share.
RunPrediction runPredictionFor(const CompileSettings &settings);

/// Sets the members of the settings that these functions make from the other members.
void completeCosts(CompileSettings &settings);

} // namespace mpf
