#include "codegen/plan/faster_order.h"

#include "codegen/plan/program/planning_budget.h"

namespace mpf {

namespace {

/// The price of planning another order and predicting its program, for each operation of the first.
constexpr double kTrialUs = 25;
/// The price of finding the kernels that would be compiled for both programs, for each operation.
constexpr double kCompiledUs = 50;
/// The greatest ratio of times that counts as shorter: predictions cannot tell smaller differences.
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
  const auto operations = static_cast<double>(known.program.operations.size());
  const auto pays = [&](double gainUs, double priceUs) {
    return questionPays(priceUs * operations, gainUs, costs.expectedRuns);
  };
  if (!pays(gainShare * expectedUs, kTrialUs))
    return false;
  const double knownUs = options.programUs(model, known.program, PredictedKernels::BuiltIn);
  if (!pays(gainShare * knownUs, kTrialUs))
    return false;
  trials.run(faster);
  const auto &found = trials.accepted();
  if (!found || found->way.recompute ||
      static_cast<double>(found->cost.peakBytes) >
          kMostMemory * static_cast<double>(known.cost.peakBytes))
    return false;
  const double foundUs = options.programUs(model, found->program, PredictedKernels::BuiltIn);
  if (!(foundUs < kClearlyShorter * knownUs))
    return false;
  if (!pays(knownUs - foundUs, kCompiledUs))
    return true;
  // Compiled kernels may make up for what the known program loses.
  return options.programUs(model, found->program, PredictedKernels::All) <
         kClearlyShorter * options.programUs(model, known.program, PredictedKernels::All);
}

} // namespace mpf
