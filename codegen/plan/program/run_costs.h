// RUN COSTS: THE PREDICTION of the time of a run on the device that a plan is for, and of the time
// of planning. It uses sums that are known while orders are searched for, before there is a
// program, a bundle or a kernel. Three decisions use it: when the search stops, slices, and the
// choice of a faster order to try (faster_order.h). The explain command uses it only for the phase
// of planning; it predicts the runs themselves from the bundle (runtime/predict/).
//
// A plain value: the driver fills it from the speed of the machine and from the element type
// and arithmetic of the run (codegen/predict/device_run_costs.h). The defaults are those of f64 on
// one thread of the shipped speed, without tracebacks. The search counts its steps, so equal costs
// give equal plans.
#pragma once

#include "dsl/support/memory/memory_price.h"

#include <algorithm>

namespace mpf {

/// The work of all operations of an order, in one run.
struct RunWork {
  double operations = 0; ///< operations that are started
  double entries = 0;    ///< entries of tables, read and written by operations
  double terms = 0;      ///< products of one entry of each operand
  double levels = 0;     ///< operations of the longest chain that wait for each other
  /// Terms of operations that multiply three messages or more and answer none of them. A CPU seldom
  /// finds tiles for them, because tiles take two groups of operands.
  double crowdedTerms = 0;
  double tracedSteps = 0; ///< steps that choose a state of the best assignment, or of a sample

  /// Adds the work of another part of the same network, which runs beside this one or after it.
  void add(const RunWork &other) {
    operations += other.operations;
    entries += other.entries;
    terms += other.terms;
    levels = std::max(levels, other.levels);
    crowdedTerms += other.crowdedTerms;
    tracedSteps += other.tracedSteps;
  }
  /// Returns the work of `count` equal parts, side by side.
  RunWork times(double count) const {
    return {operations * count,   entries * count,    terms * count, levels,
            crowdedTerms * count, tracedSteps * count};
  }
};

struct RunCosts {
  // The costs of one thread of the CPU, or of a GPU.
  double operationUs = 0.062;  ///< time of any operation
  double entryUs = 9.8e-4;     ///< additional time for each entry
  double termUs = 7e-5;        ///< additional time for each term
  double levelUs = 0;          ///< time of any level: a GPU's launches
  double crowdedTermUs = 4e-4; ///< additional time for each crowded term
  /// A run on a CPU takes its work divided by `threads`, and `wakeUs` to wake the threads.
  double threads = 1;
  double wakeUs = 100;
  /// Time of one step of the traceback, which runs on one thread, and time of any traceback,
  /// besides its steps. Only the driver knows them (runtime/predict/predict_traceback.h); otherwise
  /// they are 0.
  double tracedStepUs = 0, tracedPartUs = 0;

  /// Price of memory on a CPU. The default is for runs whose memory costs nothing: those of a GPU.
  MemoryPrice memory;

  double stepUs = 0.007;   ///< time of an elementary step of the search for orders, by the clock
  double expectedRuns = 1; ///< number of runs over which planning must pay

  /// Returns the time of one run.
  double runUs(const RunWork &work) const {
    const double oneUs = work.operations * operationUs + work.entries * entryUs +
                         work.terms * termUs + work.levels * levelUs +
                         work.crowdedTerms * crowdedTermUs;
    const double tracedUs =
        work.tracedSteps > 0 ? tracedPartUs + work.tracedSteps * tracedStepUs : 0;
    return (threads > 1 ? std::min(oneUs, wakeUs + oneUs / threads) : oneUs) + tracedUs;
  }
  /// Returns the time of the first run in which threads touch tables of so many bytes.
  double touchUs(double bytes) const { return firstTouchUs(memory, bytes) / threads; }
  /// Returns the most time of a run that several threads save: 0 on one thread.
  double threadsSaveUs(const RunWork &work) const {
    RunCosts alone = *this;
    alone.threads = 1;
    return alone.runUs(work) - runUs(work);
  }
  /// Returns the number of addresses that any bucket counts as at least. A bucket of a run like
  /// `work` takes as long as one of so many addresses, each with a separate entry.
  double leastAddresses(const RunWork &work) const {
    const double levels = work.operations > 0 ? work.levels / work.operations : 0;
    return (operationUs + levels * levelUs) / (entryUs + termUs);
  }
  /// Returns the time of `steps` of the search for orders.
  double searchUs(double steps) const { return steps * stepUs; }

  bool operator==(const RunCosts &) const = default;
};

} // namespace mpf
