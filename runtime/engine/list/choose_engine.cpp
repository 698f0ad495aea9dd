#include "runtime/engine/list/choose_engine.h"

#include "codegen/plan/program/plan_options.h"
#include "codegen/plan/program/planning_budget.h"
#include "codegen/plan/program/search_stop.h"
#include "dsl/support/check.h"
#include "runtime/choose/jit_gpu.h"
#include "runtime/engine/lanes/lane_engine.h"
#include "runtime/engine/list/engine_rows.h"
#include "runtime/engine/list/planning_price.h"
#include "runtime/engine/refusal.h"
#include "runtime/execute/host/gpu_or_cpu.h"
#include "runtime/machine/gpu_backend.h"
#include "runtime/machine/stored_speed.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpf {

namespace {

/// An engine that may answer, with the approximate costs of planning it.
struct EngineOffer {
  ListEngine engine;
  double planningUs = 0; ///< time of ListEngine::makePlan; 0: it is planned already
  double startUs = 0;    ///< time of starting a GPU if it needs one
  /// Plans without a search for orders, in time that is in proportion to the model; empty: makePlan
  /// searches none.
  std::function<PlannedEngine()> planQuickly = {};

  /// `left`: the share of the model that simplification leaves (leftShare).
  double priceUs(double left) const { return planningUs * left + startUs; }
};

/// Returns the engines that may answer, in the order of planning.
std::vector<const EngineRow *> enginesFor(const CaseSettings &settings) {
  std::vector<const EngineRow *> engines;
  std::string_view refusal;
  for (const FormTraits &form : kAnswerForms) {
    if (settings.engine ? *settings.engine != form.form : form.mustBeAsked)
      continue;
    const EngineRow &engine = engineRowOf(form.form);
    const std::string_view refused = engine.refusal ? engine.refusal(settings) : "";
    if (refused.empty())
      engines.push_back(&engine);
    else
      refusal = refused;
  }
  if (engines.empty())
    fail(ErrorKind::Unsupported, "{}", refusal);
  return engines;
}

/// An engine is planned without a search first if there is an earlier one, unless the list takes so
/// long that any search pays. If it is predicted to take this many times as long as the earlier
/// one, a search seldom makes it clearly faster.
constexpr double kHopeless = 8;

/// The time of the longest search for orders (PlanOptions::searchSteps). In large networks a search
/// may save any factor, so a list that takes much longer should not be answered without it.
double longestSearchUs() {
  return RunCosts().searchUs(static_cast<double>(PlanOptions().searchSteps));
}

/// Returns the machine's GPU. Throws Error(Unsupported) if the planner does not know it,
/// Error(Device) if there is none or it does not work.
Target machineGpu() {
  const std::string arch = requiredGpuArch();
  if (!knowsGpu(arch))
    fail(ErrorKind::Unsupported, "the planner knows no GPU {}", arch);
  return targetNamed(arch);
}

/// Makes a call to the machine's GPU for cases whose device was left open. If it fails, sets
/// `fault` and throws a refusal (refusal.h), so that other engines may answer.
template <class Call> auto orRefusal(std::string &fault, const Call &call) {
  return onGpuOrCpu(true, call, [&fault](std::string failed) -> decltype(call()) {
    fault = std::move(failed);
    fail(ErrorKind::Unsupported, "{}", fault);
  });
}

PlannedEngine planOn(const Target &gpu, const CaseProblem &problem, const EngineRow &engine) {
  CaseProblem onGpu = problem;
  onGpu.gpu = gpu;
  return engine.plan(onGpu);
}

/// Returns the plan of an engine on the GPU if the device was left open. `fault` lives as long as
/// the offers. Planning uses only the host's memory, so a plan that exceeds the bound is no fault
/// of the GPU.
std::function<PlannedEngine()> planByGpu(std::function<PlannedEngine(const Target &)> plan,
                                         const std::shared_ptr<std::string> &fault) {
  return [plan = std::move(plan), fault] {
    PlannedEngine planned = plan(orRefusal(*fault, machineGpu));
    planned.open = [open = std::move(planned.open), fault] { return orRefusal(*fault, open); };
    return planned;
  };
}

/// The engines that may answer one problem, or run one program.
struct EngineOffers {
  std::vector<EngineOffer> offers; ///< in the order of choose_engine.h
  bool plansTablesFirst = false;
  /// The failure of a GPU that was given up for other engines; "": nothing failed.
  std::shared_ptr<std::string> gpuFault = std::make_shared<std::string>();

  void add(AnswerForm form, bool onGpu, double planningUs, std::function<PlannedEngine()> plan) {
    offers.push_back({{form, onGpu, false, std::move(plan)}, planningUs});
  }
  void addGpu(AnswerForm form, double planningUs, const GpuSpeed &speed,
              std::function<PlannedEngine(const Target &)> plan) {
    offers.push_back(
        {{form, true, true, planByGpu(std::move(plan), gpuFault)}, planningUs, speed.openUs});
  }
  /// Returns indices of `offers`, in the order of planning.
  std::vector<size_t> planningOrder() const {
    std::vector<size_t> order(offers.size());
    std::iota(order.begin(), order.end(), 0);
    if (plansTablesFirst)
      std::ranges::stable_partition(
          order, [this](size_t o) { return engineRowOf(offers[o].engine.form).isForFewCases; });
    return order;
  }
};

SearchLimits limitsOf(const CompileSettings &settings) {
  SearchLimits limits;
  limits.deadline = settings.searchTime.deadline();
  return limits;
}

/// Plans engines in turn while the next one can save more than planning it costs, and until the
/// time for searches is over.
class OfferPlanner {
public:
  /// `all`: engines that do not pay are planned too.
  OfferPlanner(const CaseLoad &load, const CompileSettings &settings, bool all)
      : load_(load), expected_(settings.gpuExpected), stop_(limitsOf(settings)), all_(all) {}

  /// Returns none for the GPU of a machine that has none, or if the GPU is not considered.
  std::optional<ListEngine> consider(EngineOffer offer) {
    ListEngine &engine = offer.engine;
    const bool isFirst = bestSeconds_ == kNoAnswer;
    engine.isWorthPlanning =
        isFirst ||
        (!stop_.now() && questionPays(spentUs_ + offer.priceUs(left_), 1e6 * bestSeconds_, 1));
    if (engine.triesGpu && engine.isWorthPlanning && !isFirst && expected_ && !all_)
      expected_();
    if (engine.triesGpu && ((!engine.isWorthPlanning && !all_) || !mayPlanForGpu()))
      return std::nullopt;
    if (engine.isWorthPlanning && !isFirst)
      spentUs_ += offer.planningUs * left_;
    if (engine.isWorthPlanning || all_)
      plan(offer, engine);
    return std::move(engine);
  }

private:
  static constexpr double kNoAnswer = std::numeric_limits<double>::infinity();

  void plan(const EngineOffer &offer, ListEngine &engine) {
    if (bestSeconds_ != kNoAnswer && offer.planQuickly && !all_ &&
        !questionPays(longestSearchUs(), 1e6 * bestSeconds_, 1) && isHopeless(offer)) {
      engine.isWorthPlanning = false;
      return;
    }
    // An explanation must not depend on the memory that is free.
    engine.refusal = refusalOf([&engine] { engine.plan = engine.makePlan(); }, !all_);
    if (!engine.plan || !engine.isWorthPlanning)
      return;
    left_ = std::min(left_, engine.plan->leftShare);
    bestSeconds_ = std::min(bestSeconds_, secondsOf(*engine.plan));
  }

  /// Whether a plan without a search refuses or takes so long that none with a search pays.
  bool isHopeless(const EngineOffer &offer) const {
    bool takesLong = false;
    const std::exception_ptr refusal =
        refusalOf([&] { takesLong = secondsOf(offer.planQuickly()) > kHopeless * bestSeconds_; });
    return takesLong || refusal;
  }

  /// Returns the predicted time of all expected cases.
  double secondsOf(const PlannedEngine &plan) const { return plan.speed.secondsOf(load_.cases()); }

  const CaseLoad &load_;
  const std::function<void()> expected_; ///< CompileSettings::gpuExpected
  const SearchStop stop_;
  const bool all_;
  double left_ = 1;                ///< least leftShare of the plans so far
  double bestSeconds_ = kNoAnswer; ///< predicted for the engines that were considered
  double spentUs_ = 0;             ///< total time of plans so far that could have been left out
};

PlannedList planOffers(EngineOffers given, ListQuestion question, const CompileSettings &settings,
                       bool all) {
  OfferPlanner planner(question.load, settings, all);
  std::vector<std::optional<ListEngine>> considered(given.offers.size());
  for (const size_t o : given.planningOrder())
    considered[o] = planner.consider(std::move(given.offers[o]));
  std::vector<ListEngine> engines;
  for (std::optional<ListEngine> &engine : considered)
    if (engine)
      engines.push_back(std::move(*engine));
  return {std::move(question), std::move(engines), std::move(given.gpuFault)};
}

/// Plans without a search, and without hooks: the plan is compared, and made again if it may pay.
PlannedEngine planQuickly(const CaseProblem &problem, const EngineRow &engine) {
  CaseProblem quick = problem;
  quick.settings.hooks = {};
  quick.settings.compile.searchTime = {std::chrono::steady_clock::time_point::min()};
  return engine.plan(quick);
}

EngineOffers offersFor(const CaseProblem &problem) {
  EngineOffers offers;
  offers.plansTablesFirst = plansTablesFirst(problem);
  const bool onGpu = problem.gpu.has_value();
  const DeviceRequest &devices = problem.settings.compile.devices;
  for (const EngineRow *engine : enginesFor(problem.settings)) {
    const AnswerForm form = engine->form;
    offers.add(form, onGpu, planningPriceUs(problem, form, onGpu),
               [&problem, engine] { return engine->plan(problem); });
    if (engine->plansQuickly)
      offers.offers.back().planQuickly = [&problem, engine] {
        return planQuickly(problem, *engine);
      };
    if (engine->triesGpu && devices.isOpen() && devices.mayUseGpu())
      offers.addGpu(
          form, planningPriceUs(problem, form, true), problem.speed.gpu,
          [&problem, engine](const Target &gpu) { return planOn(gpu, problem, *engine); });
  }
  return offers;
}

} // namespace

std::optional<Target> gpuForCases(const DeviceRequest &devices) {
  if (!devices.requiresGpu())
    return std::nullopt;
  const std::string arch = gpuBackendArch(devices.gpuNumber());
  return knowsGpu(arch) ? targetNamed(arch) : Target{};
}

PlannedList planList(const CaseProblem &problem, bool all) {
  return planOffers(offersFor(problem),
                    {problem.query.name, problem.settings.compile.devices, loadOf(problem)},
                    problem.settings.compile, all);
}

OpenedEngine openCaseEngine(const CaseProblem &problem) {
  return planList(problem, false).open(problem.settings.opening);
}

} // namespace mpf
