#include "codegen/plan/plan_within_bound.h"

#include "codegen/plan/faster_order.h"
#include "codegen/plan/order/order_problem.h"
#include "codegen/plan/order/stationary_order.h"
#include "codegen/plan/program/planning_budget.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/slicing/slice_for_cache.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mpf {

namespace {

/// The search for the least memory gets this share of the steps of the first one.
constexpr uint64_t kLeastShare = 16;
/// Messages computed again that cost no more than this factor are not worth a search for slices.
constexpr double kCheapFactor = 1.05;
/// The price of making a program in slices and of predicting two programs: for each operation of
/// the program without slices, and for each pair of its variables. Layouts of tiles take the
/// latter.
constexpr double kSlicedOperationUs = 6, kSlicedPairUs = 0.1;
/// The greatest share of the time that counts as clearly shorter: slices leave less for several
/// threads to do at once, which predictions know roughly.
constexpr double kShorterInSlices = 0.9;
/// Estimates of slices take at most this share of the first runs, because they are often in vain.
constexpr double kVainShare = 0.02;

/// Hooks for searches: only the final program is verified and shown to the caller's hooks.
PlanHooks quietHooks(const PlanHooks &hooks) {
  PlanHooks quiet;
  quiet.verify = false;
  quiet.offPasses = hooks.offPasses;
  return quiet;
}

/// The least addresses that a bucket of an order like `order` counts as.
double leastAddresses(const Planning &planning, const OrderChoice &order) {
  return planning.options.runCosts.leastAddresses(order.work);
}

PlanTrials::Subject subjectOf(const Planning &planning, const PlanHooks &hooks,
                              double leastAddresses) {
  return {planning.model, planning.initial,  planning.contents, planning.options,
          hooks,          planning.isSigned, leastAddresses};
}

/// Bytes of all inputs; equal ones are counted once.
uint64_t inputBytes(const TableProgram &program, const InputContents &contents, ElementType type) {
  const std::vector<TableId> first = contents.firstEqual(program);
  double elems = 0;
  for (size_t i = 0; i < first.size(); ++i)
    if (program.tables[i].isInput() && first[i] == TableId{i})
      elems += static_cast<double>(program.tables[i].sizeElems);
  const double bytes = elems * elementBytes(type);
  return bytes < 1e19 ? static_cast<uint64_t>(bytes) : UINT64_MAX;
}

/// The plan that `trials` accepted, with the final form of its program.
BoundedPlan boundedPlan(PlanTrials &trials, const PlanHooks &hooks) {
  const PlanTrials::Accepted &accepted = *trials.accepted();
  BoundedPlan plan;
  plan.addresses = accepted.cost.addresses;
  plan.recomputes = accepted.way.recompute.has_value();
  plan.program = trials.finished(hooks);
  plan.peakBytes = accepted.cost.peakBytes; // the peak of the final form
  return plan;
}

/// The program of an order that makes subprograms equal, if it costs less than `found`.
std::optional<BoundedPlan> stationaryPlan(const Planning &planning, const TableProgram &found) {
  const auto &off = planning.hooks.offPasses;
  if (planning.options.order != OrderMethod::Auto ||
      std::find(off.begin(), off.end(), "share-tables") != off.end())
    return std::nullopt;
  const std::optional<OrderChoice> order =
      stationaryOrder(planning.model, planning.initial, planning.contents, found);
  if (!order || order->log2Largest > kHopelessLog2Elems)
    return std::nullopt;
  const PlanHooks quiet = quietHooks(planning.hooks);
  PlanTrials trials(subjectOf(planning, quiet, 0), false);
  trials.run(*order);
  if (!trials.accepted() || modelledLoads(trials.accepted()->program) >= modelledLoads(found))
    return std::nullopt;
  return boundedPlan(trials, planning.hooks);
}

/// The program of the order `fastest`, if isFasterOrder prefers it to `found`.
std::optional<BoundedPlan> fasterPlan(const Planning &planning, const OrderChoice &fastest,
                                      const PlanTrials::Accepted &found) {
  const PlanHooks quiet = quietHooks(planning.hooks);
  PlanTrials trials(subjectOf(planning, quiet, 0), false);
  if (!isFasterOrder(planning.model, planning.options, found, fastest, trials))
    return std::nullopt;
  return boundedPlan(trials, planning.hooks);
}

/// The plan that `search` found, which `trials` accepted last.
std::optional<BoundedPlan> slicedPlan(const Planning &planning, PlanTrials &trials,
                                      SliceSearch search) {
  if (!search.fits)
    return std::nullopt;
  BoundedPlan plan = boundedPlan(trials, planning.hooks);
  if (search.stopped)
    plan.program.searchRounds = 0; // no number of rounds repeats it
  plan.slices = std::move(search);
  return plan;
}

/// The price of the trial of a program in slices, in place of `whole`.
double slicedTrialUs(const TableProgram &whole) {
  double us = 0;
  for (const Operation &operation : whole.operations) {
    const auto variables =
        static_cast<double>(whole.table(operation.result).scope.size() + operation.reduced.size());
    us += kSlicedOperationUs + kSlicedPairUs * variables * variables;
  }
  return us;
}

/// Searches for the plan in slices with the least work within the bound.
std::optional<BoundedPlan> sliceWithinBound(const Planning &planning, SliceTask task) {
  const PlanHooks quiet = quietHooks(planning.hooks);
  PlanTrials trials(subjectOf(planning, quiet, task.leastAddresses), false);
  task.recomputes = trials.mayRecompute();
  const SliceTrial trial = [&trials](const OrderChoice &order) { return trials.run(order); };
  SliceSearch search =
      searchSlices({planning.model, planning.initial, task, planning.options, trial});
  return slicedPlan(planning, trials, std::move(search));
}

/// Searches for the plan with the least memory, until one is within the bound. The plans that are
/// tried do not depend on the bound or on earlier searches. So the smallest peak that is reported
/// is equal for every bound, and a user who sets the bound to it gets a plan.
SlicedPlans sliceToTheLeast(const Planning &planning, SliceTask task) {
  PlanOptions least = planning.options;
  least.maxMemoryBytes = 1;
  least.searchSteps /= kLeastShare;
  least.search.seconds.reset();
  least.search.rounds.reset();
  Diagnostics unheard;
  const OrderChoices found = chooseOrders(planning.model, planning.initial, least, unheard,
                                          {nullptr, nullptr, &planning.contents});
  task.orders = completeOrders(planning.initial, found.choices);
  if (task.orders.empty())
    return {};
  const PlanHooks quiet = quietHooks(planning.hooks);
  PlanTrials trials(subjectOf(planning, quiet, task.leastAddresses), true);
  task.recomputes = trials.mayRecompute();
  task.wholeAddresses = std::max(1.0, task.orders.front().cost);
  const SliceTrial trial = [&trials](const OrderChoice &order) { return trials.run(order); };
  SliceSearch search;
  for (const OrderChoice &order : task.orders) { // without slices, but with messages computed again
    if (order.log2Largest > kHopelessLog2Elems || trials.isSmallestOfAll())
      continue;
    const TrialResult result = trials.run(order);
    search.fits |= result.fits;
    if (&order == &task.orders.front())
      task.wholeAddresses = std::max(1.0, result.addressesOfFirst);
  }
  const SmallestPeak whole = trials.smallest();
  if (!search.fits && !trials.isSmallestOfAll())
    search = searchSlices({planning.model, planning.initial, task, least, trial});
  search.stopped |= found.effort.stopped;
  SlicedPlans sliced;
  sliced.smallest = trials.smallest();
  sliced.slicesTried = whole.isAbove(sliced.smallest) ? search.slices : 1;
  sliced.plan = slicedPlan(planning, trials, std::move(search));
  return sliced;
}

} // namespace

std::vector<OrderChoice> completeOrders(const TableProgram &initial,
                                        const std::vector<OrderChoice> &choices) {
  std::vector<OrderChoice> complete;
  std::copy_if(
      choices.begin(), choices.end(), std::back_inserter(complete),
      [&](const OrderChoice &choice) { return choice.order.size() == initial.order.size(); });
  return complete;
}

WholePlans planWhole(const Planning &planning, const std::vector<OrderChoice> &orders,
                     const std::optional<OrderChoice> &fastest) {
  MPF_CHECK(!orders.empty(), "query {} has no order", planning.query.name);
  PlanTrials trials(subjectOf(planning, planning.hooks, leastAddresses(planning, orders.front())),
                    false);
  WholePlans whole;
  whole.addresses = std::max(1.0, orders.front().cost);
  for (const OrderChoice &order : orders) {
    if (order.log2Largest > kHopelessLog2Elems) {
      trials.skip(order);
      continue;
    }
    const TrialResult result = trials.run(order);
    if (&order == &orders.front())
      whole.addresses = std::max(1.0, result.addressesOfFirst);
    whole.isHopeless = trials.isHopeless();
    if (trials.isSmallestOfAll())
      break;
    if (!trials.accepted())
      continue;
    if (!trials.accepted()->way.recompute)
      whole.plan = stationaryPlan(planning, trials.accepted()->program);
    if (!whole.plan && fastest && &order == &orders.front())
      whole.plan = fasterPlan(planning, *fastest, *trials.accepted());
    if (!whole.plan)
      whole.plan = boundedPlan(trials, {});
    break;
  }
  whole.smallest = trials.smallest();
  return whole;
}

std::optional<BoundedPlan> planFasterSliced(const Planning &planning,
                                            const std::vector<OrderChoice> &orders,
                                            const BoundedPlan &whole) {
  const PlanOptions &options = planning.options;
  const RunCosts &costs = options.runCosts;
  const auto wholeBytes = static_cast<double>(whole.peakBytes);
  if (orders.empty() || !options.programUs || options.keep != KeptMessages::None ||
      costs.memory.cacheBytes == 0 || wholeBytes <= costs.memory.cacheBytes)
    return std::nullopt;
  const OrderChoice &order = orders.front();
  if (mayRunElsewhere(options, order.joinedWork)) // its memory is not the CPU's
    return std::nullopt;
  const double runs = costs.expectedRuns, touchUs = costs.touchUs(wholeBytes);
  const double trialUs = slicedTrialUs(whole.program);
  if (!questionPays(trialUs, touchUs - costs.touchUs(costs.memory.cacheBytes), 1))
    return std::nullopt;
  const double runUs = options.programUs(planning.model, whole.program, PredictedKernels::BuiltIn);
  const double firstRunsUs = runUs * runs + touchUs;
  const double enoughUs =
      std::min(kShorterInSlices * firstRunsUs, firstRunsUs - trialUs / kPriceOfGain);
  const std::optional<OrderChoice> sliced =
      sliceForCache(planning.initial, order, options, {runUs, enoughUs, kVainShare * firstRunsUs});
  if (!sliced)
    return std::nullopt;
  const PlanHooks quiet = quietHooks(planning.hooks);
  PlanTrials trials(subjectOf(planning, quiet, leastAddresses(planning, order)), false);
  if (!trials.run(*sliced).fits)
    return std::nullopt;
  const PlanTrials::Accepted &found = *trials.accepted();
  const double slicedUs =
      options.programUs(planning.model, found.program, PredictedKernels::BuiltIn) * runs +
      costs.touchUs(static_cast<double>(found.cost.peakBytes) *
                    static_cast<double>(slicesAtOnce(found.program, options.slicesAtOnce)));
  if (slicedUs >= kShorterInSlices * firstRunsUs)
    return std::nullopt;
  return boundedPlan(trials, planning.hooks);
}

SlicedPlans planSliced(const Planning &planning, const std::vector<OrderChoice> &orders,
                       const WholePlans &whole) {
  const bool known = whole.plan.has_value();
  if (known && whole.plan->addresses <= kCheapFactor * whole.addresses)
    return {};
  MPF_CHECK(!orders.empty(), "query {} has no order of all variables", planning.query.name);
  SliceTask task;
  task.orders = orders;
  task.leastAddresses = leastAddresses(planning, orders.front());
  task.wholeAddresses = whole.addresses;
  const RunWork &work = orders.front().joinedWork;
  if (planning.options.programUs && work.operations > 0)
    task.wholeUs = planning.options.runCosts.runUs(work);
  if (known)
    task.knownAddresses = whole.plan->addresses;
  task.inputBytes = inputBytes(planning.initial, planning.contents, planning.options.type);
  SlicedPlans sliced;
  if (!whole.isHopeless && planning.options.maxMemoryBytes > task.inputBytes)
    sliced.plan = sliceWithinBound(planning, task);
  if (!sliced.plan && !known)
    sliced = sliceToTheLeast(planning, task);
  if (sliced.plan && known && sliced.plan->addresses >= whole.plan->addresses)
    sliced.plan.reset();
  return sliced;
}

} // namespace mpf
