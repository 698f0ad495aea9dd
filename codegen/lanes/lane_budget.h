// Decides which further lane programs are tried, by the rule of
// codegen/plan/program/planning_budget.h: no trial takes longer than it can save over all expected
// cases. The time of the cases is predicted for the engine that would answer them. Few cases leave
// most of a device idle, so their planning may take as long as they do.
#pragma once

#include "codegen/plan/program/planning_budget.h"
#include "codegen/plan/program/search_stop.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

namespace mpf {

struct LanePlan;

/// Predicts the microseconds of all expected cases with a plan, on the device that it is for.
/// Called from one thread at a time; equal plans get equal predictions.
using ListPrediction = std::function<double(const LanePlan &)>;

/// The budget of one query. Not thread-safe.
class LaneBudget {
public:
  /// Without a prediction every candidate is tried. When `limits` end a search for orders, nothing
  /// more is tried.
  explicit LaneBudget(ListPrediction predictList = {}, const SearchLimits &limits = {})
      : predictList_(std::move(predictList)), stop_(limits) {}

  /// The predicted time of the cases with a plan; infinite without a prediction, so that every
  /// trial pays.
  double listUs(const LanePlan &plan) const;
  /// Pays for dividing `operations` operations once more, if the cases take `listUs` with the best
  /// plan so far. False: do not divide them.
  bool pays(size_t operations, double listUs);
  /// Pays for the same, with a search for another elimination order.
  bool paysForOrder(size_t operations, double listUs);

private:
  bool paysUs(double priceUs, double listUs);

  /// The time of trials that need not pay: starting a process takes as long.
  static constexpr double kFreeUs = 1000;

  ListPrediction predictList_;
  SearchStop stop_;
  double freeUs_ = kFreeUs;
  std::optional<PlanningBudget> budget_; ///< made for the time of the first program
};

} // namespace mpf
