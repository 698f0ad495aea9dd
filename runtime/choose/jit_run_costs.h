// What the planner's prediction of a run (codegen/plan/program/run_costs.h) is made of on a
// machine: its few figures, from the curves and rates of the machine's speed.
#pragma once

#include "codegen/pipeline/compile_settings.h"
#include "codegen/plan/program/plan_options.h"
#include "runtime/machine/machine_speed.h"

namespace mpf {

/// What a run computes in.
struct RunValues {
  ElementType type = ElementType::F64;
  bool logs = false; ///< throughout (CompileSettings::forcedLog)
};

/// Of a run on `threads` (at least one) threads of the CPU.
RunCosts cpuRunCosts(const CpuSpeed &speed, RunValues values, unsigned threads);
/// Of a run on a GPU, where linear arithmetic holds; the search runs on `threads` threads of the
/// CPU.
RunCosts gpuRunCosts(const GpuSpeed &speed, ElementType type, unsigned threads);

/// Of tables of this type, for device, arithmetic and expected runs (none said: one) of the
/// settings. What is run here goes by the stored speed and the cores of this machine; what is
/// printed, or may run elsewhere, by the shipped one and one thread, so that every machine prints
/// the same. Never by the threads of the settings: results are the same for any number. With device
/// "auto" it is the CPU.
RunCosts runCostsFor(const CompileSettings &settings, ElementType type);
/// The same on a number of threads (at least one): what a run there is expected to take, not what
/// its plan goes by.
RunCosts runCostsOn(const CompileSettings &settings, ElementType type, unsigned threads);

/// The GPU, where device and schedule are "auto": the one named, or that of this machine.
OtherDevice otherDeviceFor(const CompileSettings &settings, ElementType type);

/// What predicts whole programs for the same device, machine and runs, so that the planner can
/// choose between two: each operation by its kernel, on the GPU by the table-driven ones alone.
/// With device "auto", where there is a GPU, as they are placed by the schedule of the settings,
/// with the run's share of opening the GPU; whether there is one is asked only where the CPU takes
/// longer than that share.
RunPrediction runPredictionFor(const CompileSettings &settings);

/// Sets the members of the settings that these functions make, by the other ones.
void completeCosts(CompileSettings &settings);

} // namespace mpf
