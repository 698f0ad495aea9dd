// Turns the table program of one case into a lane program for many
// (codegen/bundle/lanes/lane_program.h).
//
// The frontier lies between tables over evidence digits and messages of lanes. It is where a lane
// is predicted to have the least work (lane_cost.h): below it, work does not grow with the number
// of cases. Each operation is divided by contract_bucket.h, which considers nothing beyond its
// result: a table that is expensive to pick from may still save work in later operations. So
// several bounds of table sizes and several prices of picking are tried. Among the plans whose
// tables stay where rows are picked fast, the one with the cheapest lane is taken.
//
// This is the batch of parameter sets of PDP'11 (codegen/PAPERS.md), with cases for sets. Shared
// data is computed and stored once; different data is interleaved by case.
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
  /// Bounds of LaneLimits::tableElems that are tried, in this order; not empty. The least one comes
  /// first, then the best guess.
  std::vector<uint64_t> tableElems = {1, 256, 64, 1024, 4096};
  /// Prices that operations are divided by, in addresses: of an entry of a row, and of an entry of
  /// a message; not empty.
  std::vector<double> gatherPrices = {1, 4}, storePrices = {0.5};
  unsigned furtherOrders = 0; ///< elimination orders that are tried beside the planner's
  /// The most operations of a plan for which several orders and prices are tried.
  size_t mostOperationsForTrials = 300;
  /// The most entries of tables over evidence digits that lanes read, beyond those of the plan with
  /// the smallest bound.
  uint64_t budgetElems = uint64_t{1} << 15;
  uint64_t commonAddresses = uint64_t{1} << 22; ///< LaneLimits::commonAddresses
  uint64_t constantElems = uint64_t{1} << 24;   ///< LaneLimits::constantElems
  /// The largest indicator that is stored; larger ones are of kind LaneTableKind::Indicator.
  uint64_t storedIndicatorElems = 4096;
};

/// Returns the options for a device. On a GPU, where compiling takes time in any case, more is
/// tried.
LaneOptions laneOptionsFor(DeviceKind device, ElementType type);

/// Returns the costs that the search for an order minimises, with the steps, threads and cases (as
/// runs) of `costs`. In lanes all addresses take the same time, and so do all entries of messages;
/// no kernel makes large products cheaper.
RunCosts runCostsOfLanes(RunCosts costs, DeviceKind device);

struct LanePlan {
  LaneProgram program;
  /// The plan of one case, from which the lane program was made; its variables have the model's
  /// numbers.
  std::shared_ptr<const TableProgram> tables;
  double laneCost = 0;     ///< predicted work of a lane, in multiply-adds
  uint64_t tableElems = 0; ///< the bound that was taken
  uint64_t readElems = 0;  ///< entries of the tables over evidence digits that lanes read
  size_t operations = 0;   ///< number of operations of the table program
};

/// Sets the variables of a program to those of `model`, with the states that are fixed.
void setVariables(ProgramHead &program, const Model &model, const std::vector<Observation> &fixed);
/// Sets the inputs of a program to the factors of `model` that its schema names. The model must not
/// be simplified, because simplifying numbers factors anew.
void setInputs(ProgramHead &program, const Model &model);

/// Builds the lane program from `program`, the plan of `observable.query`, without slices, splits
/// and chains. Throws Error(MemoryBound) for a plan in slices, and Error(Unsupported) for semirings
/// other than sums and maxima of products and for whole numbers. The first bound and the first
/// prices are always tried, others if `budget` pays for them.
LanePlan buildLanePlan(const ObservableModel &observable, const TableProgram &program,
                       const CaseSchema &schema, const LaneOptions &options, LaneBudget &budget);
/// Tries all bounds and prices.
LanePlan buildLanePlan(const ObservableModel &observable, const TableProgram &program,
                       const CaseSchema &schema, const LaneOptions &options);

} // namespace mpf
