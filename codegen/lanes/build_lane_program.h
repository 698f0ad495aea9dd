// Turns the table program of one case into a lane program for many
// (codegen/bundle/lanes/lane_program.h).
//
// The frontier between tables over evidence digits and messages of lanes is where a lane is
// predicted to have the least to do (lane_cost.h): below it, work does not grow with the number of
// cases. Each operation is divided by contract_bucket.h, which sees no further than its result: a
// table that is dear to pick from may still save work above. So several bounds of table sizes and
// several prices of picking are tried, and the plan with the cheapest lane is taken among those
// whose tables stay where rows are picked fast.
//
// This is the batch of parameter sets of PDP'11 (codegen/PAPERS.md), with cases for sets: what they
// share is computed and stored once, what differs is interleaved by case.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/lanes/lane_budget.h"
#include "codegen/lanes/lane_cost.h"
#include "codegen/lanes/observable_model.h"
#include "codegen/plan/program/run_costs.h"
#include "codegen/plan/program/table_program.h"

#include <memory>
#include <vector>

namespace mpf {

struct LaneOptions {
  ElementType type = ElementType::F64;
  LaneCosts costs;
  /// Bounds of LaneLimits::tableElems that are tried, in this order; not empty. Behind the least
  /// one, the one that is the best guess.
  std::vector<uint64_t> tableElems = {1, 256, 64, 1024, 4096};
  /// Prices that operations are divided by, in addresses, of an entry of a row and of one of a
  /// message; not empty.
  std::vector<double> gatherPrices = {1, 4}, storePrices = {0.5};
  unsigned furtherOrders = 0; ///< elimination orders that are tried beside the planner's
  /// Plans of more operations get one order and the first prices alone.
  size_t mostOperationsForTrials = 300;
  /// All tables over evidence digits that lanes read, but for those that the smallest bound has
  /// too.
  uint64_t budgetElems = uint64_t{1} << 15;
  uint64_t commonAddresses = uint64_t{1} << 22; ///< as LaneLimits
  uint64_t constantElems = uint64_t{1} << 24;   ///< as LaneLimits
  /// The largest indicator that is stored; larger ones are of kind LaneTableKind::Indicator.
  uint64_t storedIndicatorElems = 4096;
};

/// On a GPU, where compiling takes its time in any case, more is tried.
LaneOptions laneOptionsFor(LaneDevice device, ElementType type);

/// What the search for an order is to go by, with the steps, threads and cases (as runs) of
/// `costs`: in lanes each address takes as long as any other, and so does each entry of a message;
/// no kernel makes large products cheaper.
RunCosts runCostsOfLanes(RunCosts costs, LaneDevice device);

struct LanePlan {
  LaneProgram program;
  /// Of one case, from which the lane program was made; its variables have the model's numbers.
  std::shared_ptr<const TableProgram> tables;
  double laneCost = 0;     ///< predicted work of a lane, in multiply-adds
  uint64_t tableElems = 0; ///< the bound that was taken
  uint64_t readElems = 0;  ///< entries of the tables over evidence digits that lanes read
  size_t operations = 0;   ///< number of operations of the table program
};

/// Sets what a program says of its variables: those of `model`, with the states that are fixed.
void setVariables(LaneProgram &program, const Model &model, const std::vector<Observation> &fixed);
/// Sets what it says of its inputs: the factors of `model` that its schema names. Not of a model
/// that was simplified, which numbers factors anew.
void setInputs(LaneProgram &program, const Model &model);

/// `program` is the plan of `observable.query`, without slices, splits and chains. Throws
/// Error(MemoryBound) for a plan in slices, Error(Unsupported) for semirings other than sums and
/// maxima of products, and for whole numbers. The first bound and the first prices are always
/// tried, others if `budget` pays for them.
LanePlan buildLaneProgram(const ObservableModel &observable, const TableProgram &program,
                          const CaseSchema &schema, const LaneOptions &options, LaneBudget &budget);
/// All of them.
LanePlan buildLaneProgram(const ObservableModel &observable, const TableProgram &program,
                          const CaseSchema &schema, const LaneOptions &options);

} // namespace mpf
