// Decides which further lane programs are tried, by the rule of
// codegen/plan/program/planning_budget.h: none takes longer than it can save over all cases that
// are expected.
#pragma once

#include "codegen/lanes/lane_cost.h"
#include "codegen/plan/program/planning_budget.h"

#include <cstddef>
#include <limits>
#include <optional>

namespace mpf {

/// Of one query. Not thread-safe.
class LaneBudget {
public:
  /// `multiplyAddUs`: what a unit of laneCost takes on the whole device, with other cases beside
  /// it.
  LaneBudget(double multiplyAddUs, double expectedCases)
      : multiplyAddUs_(multiplyAddUs), expectedCases_(expectedCases) {}
  /// All that is thought of is tried.
  LaneBudget() : LaneBudget(1, std::numeric_limits<double>::infinity()) {}

  /// Pays for dividing so many operations once more, where a case costs `laneCost` by the best
  /// program so far; false: it is not to be done.
  bool pays(size_t operations, double laneCost);
  /// The same with another elimination order for it.
  bool paysForOrder(size_t operations, double laneCost);

private:
  bool paysUs(double priceUs, double laneCost);

  /// What starting a process takes: up to that nobody asks what a try gains.
  static constexpr double kFreeUs = 1000;

  double multiplyAddUs_, expectedCases_;
  double freeUs_ = kFreeUs;
  std::optional<PlanningBudget> budget_; ///< by the first program
};

} // namespace mpf
