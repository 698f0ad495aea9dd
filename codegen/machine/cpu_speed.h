// The speed of a processor, from which times of operations are predicted, as plain data. `mpfc
// calibrate` measures it (runtime/machine/machine_speed.h).
#pragma once

#include "codegen/machine/time_curve.h"
#include "dsl/support/memory/memory_price.h"

namespace mpf {

/// Times in the model for one operand of one term of the row path, in nanoseconds: in linear
/// arithmetic, in logarithms, in whole numbers. CpuSpeed::logs and CpuSpeed::integers map the last
/// two.
inline constexpr double kLinearTermNs = 0.5, kLogTermNs = 3, kIntegerTermNs = 2;

/// The costs of running a program on several threads. The defaults are between those of two hosts
/// with 2 and 16 threads.
struct ThreadCosts {
  /// Time to wake the threads for a run and to wait for them at its end, for each doubling of their
  /// number. Woken threads wake others.
  double wakeUs = 50;
  /// Time until a unit of tasks that became ready runs on a thread and has its tables in that
  /// thread's caches.
  double handUs = 6;
  /// Loss on a shared operation through waits and each other's caches: this factor times the square
  /// root of the time on one thread, in us.
  double sharingUs = 3;
  /// Share by which each further computing thread slows down all others, because threads share
  /// cores, caches and memory.
  double crowding = 0.02;

  bool operator==(const ThreadCosts &) const = default;
};

/// Speed of the CPU. The curves are for one thread. They map the modelled times of
/// runtime/execute/compiled/compiled_cost.h. `logs` maps kLogTermNs, `integers` maps
/// kIntegerTermNs, for each operand of a term (runtime/execute/cpu/split_work.h).
struct CpuSpeed {
  TimeCurve entries, rows, tiles, compiled, logs, integers;
  ThreadCosts threads;
  MemoryPrice memory;

  bool operator==(const CpuSpeed &) const = default;
};

} // namespace mpf
