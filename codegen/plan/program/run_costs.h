// RUN COSTS: THE PREDICTION of what a run takes on the device that a plan is for, and of what the
// planner itself takes, from sums that are known while orders are searched for: before there is a
// program, a bundle or a kernel. The search's stop rule, slices and the choice of a faster order to
// try (faster_order.h) go by it; of what explain prints only the phase of planning: the runs
// themselves it predicts from the bundle (runtime/predict/).
//
// A plain value: the driver fills it from the speed of the machine and from what the run computes
// in (runtime/choose/jit_run_costs.h). Without that it is of f64 on one thread of the shipped
// speed, but for tracebacks. The search counts its steps, so equal costs give equal plans.
#pragma once

#include <algorithm>

namespace mpf {

/// What all operations of an order do together, in one run.
struct RunWork {
  double operations = 0; ///< that are started
  double entries = 0;    ///< of tables, read and written by an operation
  double terms = 0;      ///< products of one entry of each operand
  double levels = 0;     ///< operations of the longest chain that wait for each other
  /// Terms of operations in which three messages or more meet, and none is answered: a CPU seldom
  /// finds tiles for them, which take two groups of operands.
  double crowdedTerms = 0;
  double tracedSteps = 0; ///< that choose a state of the best assignment, or of a sample

  /// What runs beside it, or after it, at another place of the same network.
  void add(const RunWork &other) {
    operations += other.operations;
    entries += other.entries;
    terms += other.terms;
    levels = std::max(levels, other.levels);
    crowdedTerms += other.crowdedTerms;
    tracedSteps += other.tracedSteps;
  }
  /// That of so many places, one beside the other.
  RunWork times(double count) const {
    return {operations * count,   entries * count,    terms * count, levels,
            crowdedTerms * count, tracedSteps * count};
  }
};

struct RunCosts {
  // Of one thread of the CPU, or of a GPU.
  double operationUs = 0.062;  ///< of an operation, whatever it does
  double entryUs = 9.8e-4;     ///< more for each entry
  double termUs = 7e-5;        ///< more for each term
  double levelUs = 0;          ///< of a level, whatever is in it: a GPU's launches
  double crowdedTermUs = 4e-4; ///< more for each crowded term
  /// A run on a CPU takes as long as its work divided by this, and to wake the threads.
  double threads = 1;
  double wakeUs = 100;
  /// Of a step of the traceback, which nothing shares; and of all of them together, beside that.
  /// Only the driver knows them (runtime/predict/predict_traceback.h): without it they are 0.
  double tracedStepUs = 0, tracedPartUs = 0;

  double stepUs = 0.007;   ///< of an elementary step of the search for orders, by the clock
  double expectedRuns = 1; ///< over which planning must pay

  /// Of one run.
  double runUs(const RunWork &work) const {
    const double oneUs = work.operations * operationUs + work.entries * entryUs +
                         work.terms * termUs + work.levels * levelUs +
                         work.crowdedTerms * crowdedTermUs;
    const double tracedUs =
        work.tracedSteps > 0 ? tracedPartUs + work.tracedSteps * tracedStepUs : 0;
    return (threads > 1 ? std::min(oneUs, wakeUs + oneUs / threads) : oneUs) + tracedUs;
  }
  /// A bucket of a run like `work` takes as long as one of at least so many addresses, each with
  /// an entry of its own.
  double leastAddresses(const RunWork &work) const {
    const double levels = work.operations > 0 ? work.levels / work.operations : 0;
    return (operationUs + levels * levelUs) / (entryUs + termUs);
  }
  /// Of the search for orders.
  double searchUs(double steps) const { return steps * stepUs; }

  bool operator==(const RunCosts &) const = default;
};

} // namespace mpf
