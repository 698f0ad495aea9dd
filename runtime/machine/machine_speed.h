// MACHINE SPEED: the times and rates of a machine's devices from which times are predicted, as
// plain data. `mpfc calibrate` measures them and stores them beside the cache of kernels. Without
// measurements, the shipped speed is used: that of the machines in tools/mpf-bench/RESULTS.md.
//
// The Gems chapter (section 3.3.1) predicts kernels by a regression over traces of
// micro-benchmarks. Here each kernel has a cost model, and a curve for each kind of kernel maps the
// model's times to times of the machine.
#pragma once

#include "codegen/bundle/table_driven_time.h"
#include "dsl/support/memory/memory_price.h"
#include "runtime/execute/threads/thread_costs.h"
#include "runtime/machine/engine_rates.h"
#include "runtime/machine/time_curve.h"
#include "runtime/schedule/launches/level_time.h"
#include "runtime/schedule/transfers/hide_copies.h"

#include <cstdint>
#include <string>

namespace mpf {

/// Speed of the CPU. The curves are for one thread. They map the modelled times of
/// runtime/execute/compiled/compiled_cost.h. `logs` maps kLogTermNs, `integers` maps
/// kIntegerTermNs, for each operand of a term (runtime/execute/cpu/split_work.h).
struct CpuSpeed {
  TimeCurve entries, rows, tiles, compiled, logs, integers;
  ThreadCosts threads;
  MemoryPrice memory;

  bool operator==(const CpuSpeed &) const = default;
};

/// Speed of a GPU, with the times of launches (runtime/schedule/launches/level_time.h).
struct GpuSpeed : LevelSpeed {
  double copyBytesPerUs = 12700; ///< rate of copies between host and device, pageable memory
  double uploadUs = 2.9;   ///< fixed time to copy a table to the device: the table and its state
  double downloadUs = 0.2; ///< fixed time to copy a table to the host, with others of a run
  double superstepUs = 20; ///< time to start the device, and to wait for it and for a copy
  double openUs = 300000;  ///< time of driver, context and modules: once per process
  CopySpeed copies;        ///< copies of locked memory, for tables that change between runs

  bool operator==(const GpuSpeed &) const = default;
};

struct MachineSpeed {
  CpuSpeed cpu;
  GpuSpeed gpu;
  EngineRates engines; ///< of engines for lists of cases

  bool operator==(const MachineSpeed &) const = default;
};

/// Returns the speed that is used if nothing was measured.
MachineSpeed shippedSpeed();

/// Writes a speed as JSON, and reads it. Throws Error(BadInput) for other texts and invalid speeds.
std::string speedJson(const MachineSpeed &speed);
MachineSpeed speedFromJson(const std::string &text);

} // namespace mpf
