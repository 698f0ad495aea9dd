// What the planner's prediction of a run (codegen/plan/program/run_costs.h) is made of on a
// machine: its few figures, from the curves and rates of the machine's speed.
#pragma once

#include "codegen/pipeline/compile_settings.h"
#include "codegen/plan/program/plan_options.h"
#include "runtime/predict/machine_speed.h"

namespace mpf {

/// Of a run on `threads` (at least one) threads of the CPU.
RunCosts cpuRunCosts(const CpuSpeed &speed, unsigned threads);
/// Of a run on a GPU, in values of so many bytes; the search runs on `threads` threads of the CPU.
RunCosts gpuRunCosts(const GpuSpeed &speed, double elementBytes, unsigned threads);

/// For the device and expected runs (none said: one) of the settings. What is run here goes by the
/// stored speed and the cores of this machine; what is printed, or may run elsewhere, by the
/// shipped one and one thread, so that every machine prints the same. Never by the threads of the
/// settings: results are the same for any number. With device "auto" it is the CPU.
RunCosts runCostsFor(const CompileSettings &settings);

/// The GPU, where device and schedule are "auto": the one named, or that of this machine.
OtherDevice otherDeviceFor(const CompileSettings &settings);

/// What predicts whole programs for the same device, machine and runs, so that the planner can
/// choose between two: each operation by its kernel, on the GPU by the table-driven ones alone.
/// With device "auto", where there is a GPU, as they are placed by the schedule of the settings,
/// with the run's share of opening the GPU; whether there is one is asked only where the CPU takes
/// longer than that share.
RunPrediction runPredictionFor(const CompileSettings &settings);

} // namespace mpf
