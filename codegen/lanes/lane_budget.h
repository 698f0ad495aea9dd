// Decides which further lane programs are tried, by the rule of
// codegen/plan/program/planning_budget.h: none takes longer than it can save over all cases that
// are expected. What these take is predicted for the engine that would answer them, so that few
// cases, which leave most of a device idle, may be planned for as long as they last.
#pragma once

#include "codegen/plan/program/planning_budget.h"
#include "codegen/plan/program/search_stop.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

namespace mpf {

struct LanePlan;

/// Microseconds that all cases that are expected are predicted to take by a plan, where it is for.
/// Called from one thread at a time; equal plans get equal answers.
using ListPrediction = std::function<double(const LanePlan &)>;

/// Of one query. Not thread-safe.
class LaneBudget {
public:
  /// Without a prediction all that is thought of is tried. When `limits` end a search for orders,
  /// nothing is tried any more.
  explicit LaneBudget(ListPrediction predictList = {}, const SearchLimits &limits = {})
      : predictList_(std::move(predictList)), stop_(limits) {}

  /// What the cases take by a plan; infinite: whatever may make one cheaper is worth a try.
  double listUs(const LanePlan &plan) const;
  /// Pays for dividing so many operations once more, where the cases take `listUs` by the best plan
  /// so far; false: it is not to be done.
  bool pays(size_t operations, double listUs);
  /// The same with another elimination order for it.
  bool paysForOrder(size_t operations, double listUs);

private:
  bool paysUs(double priceUs, double listUs);

  /// What starting a process takes: up to that nobody asks what a try gains.
  static constexpr double kFreeUs = 1000;

  ListPrediction predictList_;
  SearchStop stop_;
  double freeUs_ = kFreeUs;
  std::optional<PlanningBudget> budget_; ///< by the first program
};

} // namespace mpf
