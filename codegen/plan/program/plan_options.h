// Defines the planner's options: its choices and their bounds. They are a plain value that is
// passed to every part of the planner; there are no global settings.
#pragma once

#include "codegen/plan/program/run_costs.h"
#include "codegen/plan/program/search_stop.h"
#include "dsl/support/semiring.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace mpf {

class DeviceCosts;   // device_costs.h
struct Model;        // dsl/model/model.h
struct TableProgram; // table_program.h

enum class OrderMethod {
  Auto,      ///< the whole portfolio (order_portfolio.h), as long as it may pay
  MinFill,   ///< one greedy run: fewest fill-in edges first
  MinWeight, ///< one greedy run: smallest bucket first
  Sweep,     ///< breadth-first layers from the rim: grids and chains
};

/// The messages that have memory that no other table uses, so that later runs of a session need not
/// compute them again (pass_keep_messages.h).
enum class KeptMessages {
  None,     ///< no message: the least memory, for a single run
  Constant, ///< messages that depend on no bound input and no observed state
  All,      ///< every message: a run computes only what depends on changes since the last one
};

/// The memory that the tables of a plan may take, and who set this bound.
struct MemoryBound {
  uint64_t bytes = UINT64_MAX;
  std::string source; ///< "--max-memory", "available memory of this machine"
  /// Description of the failure of the device that was asked for the bound; then `bytes` is 0.
  /// Empty: none.
  std::string fault;
};

/// Another device that may run the program (`--device auto`), but is slow to ask for.
struct OtherDevice {
  double openUs = 0; ///< time to open it, once, before the first run
  /// Returns the costs of a run there (its stepUs and expectedRuns are ignored: the search and the
  /// number of runs are the same); nothing if there is no such device. Called at most once per
  /// search, when all runs are predicted to take longer here than opening it. Empty: there is no
  /// other device. Equal machines must return equal costs.
  std::function<std::optional<RunCosts>()> costs;
};

/// The kernels that the prediction of a whole program assumes.
enum class PredictedKernels {
  BuiltIn, ///< those that need no compiler
  All,     ///< also those that would be compiled for it, which take longer to find
};

/// Options of buildProgram (codegen/plan/build_program.h).
struct PlanOptions {
  OrderMethod order = OrderMethod::Auto;
  uint64_t seed = 0; ///< for tie-breaks and restarts; the same seed gives the same plan
  ElementType type = ElementType::F64;
  /// Bound on the bytes of input and work arena together. Where every order exceeds it, the planner
  /// recomputes messages (only for marginals: pass_recompute_messages.h), slices the query
  /// (slice_variables.h), or both, for the least work that it finds. If nothing stays within the
  /// bound, the query is refused with Error(MemoryBound).
  uint64_t maxMemoryBytes = UINT64_MAX;
  /// The bound of a device that has more memory but is slow to ask (a GPU). Called at most once per
  /// query, when no plan without slices and without recomputing is within maxMemoryBytes. If it
  /// returns nothing, or no larger bound, maxMemoryBytes stays.
  std::function<std::optional<MemoryBound>()> largerBound;
  /// True: no session binds other values to factors that have values. Then equal tables may be
  /// shared, and tables of zeros and ones packed.
  bool finalTables = false;
  KeptMessages keep = KeptMessages::None; ///< as far as the memory bound allows
  /// Predicts times of GPU kernels, for a program that may run on a GPU. With them the planner
  /// splits sums (split_k.h) and marks chains, where that saves time and the memory bound allows
  /// it. It also packs tables and lays them out, where that saves time. Null: it does none of this.
  /// Must outlive the planning.
  DeviceCosts *deviceCosts = nullptr;
  /// Operations that do not wait for each other run at the same time: on a GPU, or on several
  /// threads. Then they share no memory, as far as the bound allows (pass_separate_branches.h).
  bool branchesAtOnce = false;
  /// Threads of a CPU that compute slices side by side, each with memory for one (BundleOptions).
  unsigned slicesAtOnce = 1;
  /// Predicted costs of a run on the device that the plan is for, and the number of runs expected.
  /// The defaults do not depend on the machine (run_costs.h).
  RunCosts runCosts;
  /// The search for orders takes no more than its share of the time of all runs on this device,
  /// opening included.
  OtherDevice otherDevice;
  /// Predicts the microseconds of one run of a program of the model, on the device that the plan is
  /// for, from the shape of every operation. With it the planner chooses between the orders that a
  /// search found (faster_order.h). Empty: the planner takes the order of the fewest operations.
  /// Equal programs must get equal predictions.
  std::function<double(const Model &, const TableProgram &, PredictedKernels)> programUs;
  /// A plan with a peak above this, in bytes, gives a performance warning. (A plan that recomputes
  /// or has slices gives one in any case, about its additional work.)
  uint64_t warnMemoryBytes = uint64_t{4} << 30;
  /// Limits of the search for orders. Without `rounds` and `seconds` it ends after a share of the
  /// predicted run time, and after about `searchSteps` elementary graph steps (some 8 ns each) at
  /// the latest. Both are counted in steps, not measured, so that the plan does not depend on the
  /// speed of the machine.
  SearchLimits search;
  uint64_t searchSteps = 200'000'000;
};

/// Whether another device may run the program: opening it takes no longer than all runs here. Then
/// the price of this device's memory (RunCosts::memory) decides nothing.
inline bool mayRunElsewhere(const PlanOptions &options, const RunWork &work) {
  return options.otherDevice.costs &&
         options.runCosts.runUs(work) * options.runCosts.expectedRuns > options.otherDevice.openUs;
}

} // namespace mpf
