#include "codegen/plan/faster_order.h"

#include "codegen/plan/program/planning_budget.h"

namespace mpf {

namespace {

/// The price of planning another order and predicting its program, for each operation of the first.
constexpr double kTrialUs = 25;
/// What is predicted to be shorter by less is not: predictions do not tell it.
constexpr double kClearlyShorter = 0.98;

} // namespace

bool isFasterOrder(const Model &model, const PlanOptions &options,
                   const PlanTrials::Accepted &known, const OrderChoice &faster,
                   PlanTrials &trials) {
  if (!options.programUs || known.way.recompute)
    return false;
  const RunCosts &costs = options.runCosts;
  const double expectedUs = costs.runUs(known.order.joinedWork);
  const double gainShare = 1 - costs.runUs(faster.joinedWork) / expectedUs;
  const double priceUs = kTrialUs * static_cast<double>(known.program.operations.size());
  const auto pays = [&](double runUs) {
    return questionPays(priceUs, gainShare * runUs, costs.expectedRuns);
  };
  if (!pays(expectedUs))
    return false;
  const double knownUs = options.programUs(model, known.program);
  if (!pays(knownUs))
    return false;
  trials.run(faster);
  const auto &found = trials.accepted();
  return found && !found->way.recompute &&
         static_cast<double>(found->cost.peakBytes) <=
             kMostMemory * static_cast<double>(known.cost.peakBytes) &&
         options.programUs(model, found->program) < kClearlyShorter * knownUs;
}

} // namespace mpf
