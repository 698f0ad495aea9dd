// MACHINE SPEED: what a machine's devices take for the parts that predicted times are made of, as
// plain data. `mpfc calibrate` measures it and stores it beside the cache of kernels; without that
// the shipped one is taken, which is of the machines in tools/mpf-bench/RESULTS.md.
//
// The Gems chapter (section 3.3.1) predicts kernels by a regression over traces of
// micro-benchmarks. Here the kernels' own models say how they compare, and a curve for each kind of
// kernel what the machine makes of that.
#pragma once

#include "codegen/bundle/table_driven_time.h"
#include "runtime/execute/threads/thread_costs.h"
#include "runtime/machine/time_curve.h"
#include "runtime/schedule/launches/level_time.h"
#include "runtime/schedule/transfers/hide_copies.h"

#include <cstdint>
#include <string>

namespace mpf {

/// The curves are of one thread. They are over the times of execute/compiled/compiled_cost.h;
/// `logs` over kLogTermNs, `integers` over kIntegerTermNs for each operand of a term
/// (execute/cpu/split_work.h).
struct CpuSpeed {
  TimeCurve entries, rows, tiles, compiled, logs, integers;
  ThreadCosts threads;

  bool operator==(const CpuSpeed &) const = default;
};

/// With the parts of launches (schedule/level_time.h).
struct GpuSpeed : LevelSpeed {
  double copyBytesPerUs = 12700; ///< between host and device, pageable memory
  double uploadUs = 2.9;   ///< of a table to the device, whatever its size: a copy, and its state's
  double downloadUs = 0.2; ///< of a table to the host, beside others of a run
  double superstepUs = 20; ///< to start the device, and to wait for it and for a copy
  double openUs = 300000;  ///< driver, context, modules: once per process
  CopySpeed copies;        ///< from and to locked memory: of what changes from run to run

  bool operator==(const GpuSpeed &) const = default;
};

struct MachineSpeed {
  CpuSpeed cpu;
  GpuSpeed gpu;

  bool operator==(const MachineSpeed &) const = default;
};

/// What is taken where nothing was measured.
MachineSpeed shippedSpeed();

/// As JSON, and back. Throws Error(BadInput) for what is no such text, or not sound.
std::string speedJson(const MachineSpeed &speed);
MachineSpeed speedFromJson(const std::string &text);

} // namespace mpf
