// MACHINE SPEED: the times and rates of a machine's devices from which times are predicted, as
// plain data. `mpfc calibrate` measures them and stores them beside the cache of kernels. Without
// measurements, the shipped speed is used: that of the machines in tools/mpf-bench/RESULTS.md.
//
// The Gems chapter (section 3.3.1) predicts kernels by a regression over traces of
// micro-benchmarks. Here each kernel has a cost model, and a curve for each kind of kernel maps the
// model's times to times of the machine.
#pragma once

#include "codegen/machine/cpu_speed.h"
#include "codegen/machine/engine_rates.h"
#include "codegen/machine/gpu_speed.h"
#include "codegen/machine/machine.h"

#include <cstdint>
#include <string>

namespace mpf {

struct MachineSpeed {
  CpuSpeed cpu;
  GpuSpeed gpu;
  EngineRates engines; ///< of engines for lists of cases

  bool operator==(const MachineSpeed &) const = default;
};

/// Returns a machine of this speed: its CPU, and GPUs of equal speed of which nothing else is
/// known.
Machine machineOf(const MachineSpeed &speed, uint32_t gpus = 1);

/// Returns the speed that is used if nothing was measured.
MachineSpeed shippedSpeed();

/// Writes a speed as JSON, and reads it. Throws Error(BadInput) for other texts and invalid speeds.
std::string speedJson(const MachineSpeed &speed);
MachineSpeed speedFromJson(const std::string &text);

} // namespace mpf
