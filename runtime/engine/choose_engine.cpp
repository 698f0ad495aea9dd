#include "runtime/engine/choose_engine.h"

#include "codegen/plan/program/planning_budget.h"
#include "codegen/plan/program/search_stop.h"
#include "dsl/support/check.h"
#include "runtime/choose/jit_gpu.h"
#include "runtime/engine/first_engine.h"
#include "runtime/engine/lane_engine.h"
#include "runtime/engine/planning_price.h"
#include "runtime/engine/single_engine.h"
#include "runtime/engine/table_engine.h"
#include "runtime/execute/host/gpu_or_cpu.h"
#include "runtime/machine/gpu_backend.h"
#include "runtime/machine/stored_speed.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <string>
#include <utility>

namespace mpf {

namespace {

/// An engine that may answer, and how it is planned.
struct EngineOffer {
  CaseEngineKind kind = CaseEngineKind::Lanes;
  double planningUs = 0; ///< approximate time of `plan`; 0: it is planned already
  double startUs = 0;    ///< time of starting a GPU if it needs one
  std::function<PlannedEngine()> plan;
  /// Plans without a search for orders, in time that is in proportion to the model; empty: `plan`
  /// searches none.
  std::function<PlannedEngine()> planQuickly = {};

  double priceUs() const { return planningUs + startUs; }
};

/// Whether lanes may answer: they have no logarithms, and verify no entries.
bool mayTakeLanes(const CaseSettings &settings) {
  return !settings.compile.forcedLog && settings.session.verifySamples == 0;
}

CaseEngineKind withoutDevice(CaseEngineKind kind) {
  return kind == CaseEngineKind::GpuLanes ? CaseEngineKind::Lanes : kind;
}

/// Returns the kinds of engines that may answer, in the order of planning.
std::vector<CaseEngineKind> enginesFor(const CaseSettings &settings) {
  std::vector<CaseEngineKind> kinds;
  if (mayTakeLanes(settings))
    kinds.push_back(CaseEngineKind::Lanes);
  if (mayTakeLanes(settings) && settings.compile.devices.isOpen())
    kinds.push_back(CaseEngineKind::GpuLanes);
  kinds.push_back(CaseEngineKind::Tables);
  kinds.push_back(CaseEngineKind::Single);
  std::erase_if(kinds, [&settings](CaseEngineKind kind) {
    return settings.engine && *settings.engine != withoutDevice(kind);
  });
  if (kinds.empty())
    fail(ErrorKind::Unsupported,
         "lanes compute neither in logarithms throughout nor entries a second time: tables do");
  return kinds;
}

/// An engine is planned without a search first if there is an earlier one. If it is predicted to
/// take this many times as long, no search makes it clearly faster.
constexpr double kHopeless = 8;

/// Returns the predicted time of all expected cases.
double expectedSeconds(const CaseLoad &load, const EngineSpeed &speed) {
  return speed.secondsOf(load.cases());
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
/// `fault` and throws a refusal (first_engine.h), so that other engines may answer.
template <class Call> auto orRefusal(std::string &fault, const Call &call) {
  return onGpuOrCpu(true, call, [&fault](std::string failed) -> decltype(call()) {
    fault = std::move(failed);
    fail(ErrorKind::Unsupported, "{}", fault);
  });
}

PlannedEngine planLanesOn(const Target &gpu, const CaseProblem &problem) {
  CaseProblem onGpu = problem;
  onGpu.gpu = gpu;
  return planLaneEngine(onGpu);
}

/// Returns the plan of lanes on the GPU if the device was left open. `fault` lives as long as the
/// offers. Planning uses only the host's memory, so a plan that exceeds the bound is no fault of
/// the GPU.
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

  void add(CaseEngineKind kind, double planningUs, std::function<PlannedEngine()> plan) {
    offers.push_back({kind, planningUs, 0, std::move(plan), {}});
  }
  void addGpu(double planningUs, const GpuSpeed &speed,
              std::function<PlannedEngine(const Target &)> plan) {
    offers.push_back({CaseEngineKind::GpuLanes,
                      planningUs,
                      speed.openUs,
                      planByGpu(std::move(plan), gpuFault),
                      {}});
  }
  /// Returns indices of `offers`, in the order of planning.
  std::vector<size_t> planningOrder() const {
    std::vector<size_t> order(offers.size());
    std::iota(order.begin(), order.end(), 0);
    if (plansTablesFirst)
      std::ranges::stable_partition(
          order, [this](size_t w) { return offers[w].kind == CaseEngineKind::Tables; });
    return order;
  }
};

SearchLimits limitsOf(const CompileSettings &settings) {
  SearchLimits limits;
  if (settings.searchDeadline)
    limits.deadline = settings.searchDeadline();
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
  std::optional<ConsideredEngine> consider(const EngineOffer &offer) {
    ConsideredEngine engine;
    engine.kind = offer.kind;
    const bool isFirst = bestSeconds_ == kNoAnswer;
    engine.isConsidered = isFirst || (!stop_.now() && questionPays(spentUs_ + offer.priceUs(),
                                                                   1e6 * bestSeconds_, 1));
    if (offer.kind == CaseEngineKind::GpuLanes && engine.isConsidered && !isFirst && expected_ &&
        !all_)
      expected_();
    if (offer.kind == CaseEngineKind::GpuLanes &&
        ((!engine.isConsidered && !all_) || !mayPlanForGpu()))
      return std::nullopt;
    if (engine.isConsidered && !isFirst)
      spentUs_ += offer.planningUs;
    if (engine.isConsidered || all_)
      plan(offer, engine);
    return engine;
  }

private:
  static constexpr double kNoAnswer = std::numeric_limits<double>::infinity();

  void plan(const EngineOffer &offer, ConsideredEngine &engine) {
    try {
      if (bestSeconds_ != kNoAnswer && offer.planQuickly && !all_) {
        engine.plan = offer.planQuickly();
        engine.isQuick = expectedSeconds(load_, engine.plan->speed) > kHopeless * bestSeconds_;
      }
      if (!engine.isQuick)
        engine.plan = offer.plan();
      if (engine.isConsidered)
        bestSeconds_ = std::min(bestSeconds_, expectedSeconds(load_, engine.plan->speed));
    } catch (const Error &error) {
      if (!isRefusal(error))
        throw;
      engine.refusal = std::current_exception();
    } catch (const std::bad_alloc &) {
      if (all_) // an explanation must not depend on the memory that is free
        throw;
      engine.refusal = std::current_exception();
    }
  }

  const CaseLoad &load_;
  const std::function<void()> expected_; ///< CompileSettings::gpuExpected
  const SearchStop stop_;
  const bool all_;
  double bestSeconds_ = kNoAnswer; ///< predicted for the engines that were considered
  double spentUs_ = 0;             ///< total time of plans so far that could have been left out
};

std::vector<ConsideredEngine> planOffers(const EngineOffers &given, const CaseLoad &load,
                                         const CompileSettings &settings, bool all) {
  OfferPlanner planner(load, settings, all);
  std::vector<std::optional<ConsideredEngine>> considered(given.offers.size());
  for (const size_t w : given.planningOrder())
    considered[w] = planner.consider(given.offers[w]);
  std::vector<ConsideredEngine> engines;
  for (std::optional<ConsideredEngine> &engine : considered)
    if (engine)
      engines.push_back(std::move(*engine));
  return engines;
}

PlannedEngine planQuickly(const CaseProblem &problem, CaseEngineKind kind) {
  CaseProblem quick = problem;
  quick.settings.compile.searchDeadline = [] {
    return std::chrono::steady_clock::time_point::min();
  };
  return planEngine(quick, kind);
}

EngineOffers offersFor(const CaseProblem &problem) {
  EngineOffers offers;
  offers.plansTablesFirst = plansTablesFirst(problem);
  for (const CaseEngineKind kind : enginesFor(problem.settings)) {
    const double planningUs = planningPriceUs(problem, kind);
    if (kind == CaseEngineKind::GpuLanes)
      offers.addGpu(planningUs, problem.speed.gpu,
                    [&problem](const Target &gpu) { return planLanesOn(gpu, problem); });
    else
      offers.add(kind, planningUs, [&problem, kind] { return planEngine(problem, kind); });
    if (kind == CaseEngineKind::Tables || kind == CaseEngineKind::Single)
      offers.offers.back().planQuickly = [&problem, kind] { return planQuickly(problem, kind); };
  }
  return offers;
}

/// Makes the engine report `gpuFault` before a later fault of its device.
void addFault(CaseEngine &engine, const std::string &gpuFault) {
  if (gpuFault.empty())
    return;
  engine.deviceFault = [gpuFault, later = std::move(engine.deviceFault)] {
    const std::string fault = later ? later() : "";
    return fault.empty() || fault == gpuFault ? gpuFault : gpuFault + "; then " + fault;
  };
}

OpenedEngine openFirst(const EngineOffers &given, const CaseLoad &load,
                       const CaseSettings &settings) {
  const std::vector<EngineOffer> &offers = given.offers;
  const std::vector<ConsideredEngine> engines = planOffers(given, load, settings.compile, false);
  const std::vector<size_t> order = openingOrder(load, engines);
  std::vector<EngineAttempt> attempts;
  for (const size_t e : order)
    attempts.emplace_back([&engine = engines[e], &offers, &settings] {
      if (engine.refusal)
        std::rethrow_exception(engine.refusal);
      std::optional<PlannedEngine> late;
      if (!engine.plan || engine.isQuick)
        late = std::ranges::find(offers, engine.kind, &EngineOffer::kind)->plan();
      const PlannedEngine &plan = late ? *late : *engine.plan;
      if (settings.opening)
        settings.opening(plan.speed, engine.kind == CaseEngineKind::GpuLanes ||
                                         settings.compile.devices.requiresGpu());
      return plan.open();
    });
  ChosenEngine chosen = firstEngine(attempts);
  OpenedEngine opened;
  opened.engine = std::move(chosen.engine);
  addFault(opened.engine, *given.gpuFault);
  opened.kind = engines[order[chosen.attempt]].kind;
  opened.wasTooLarge = opened.kind == CaseEngineKind::Single && chosen.wasTooLarge;
  return opened;
}

} // namespace

std::optional<Target> gpuForCases(const DeviceRequest &devices) {
  if (!devices.requiresGpu())
    return std::nullopt;
  const std::string arch = gpuBackendArch();
  return knowsGpu(arch) ? targetNamed(arch) : Target{};
}

PlannedEngine planEngine(const CaseProblem &problem, CaseEngineKind kind) {
  switch (kind) {
  case CaseEngineKind::Lanes:
    return planLaneEngine(problem);
  case CaseEngineKind::GpuLanes:
    return planLanesOn(machineGpu(), problem);
  case CaseEngineKind::Tables:
    return planTableEngine(problem);
  case CaseEngineKind::Single:
    return planSingleEngine(problem);
  }
  MPF_UNREACHABLE("engine {}", static_cast<int>(kind));
}

std::vector<ConsideredEngine> planEngines(const CaseProblem &problem, bool all) {
  return planOffers(offersFor(problem), loadOf(problem), problem.settings.compile, all);
}

std::vector<size_t> openingOrder(const CaseLoad &load,
                                 const std::vector<ConsideredEngine> &engines) {
  std::vector<size_t> order(engines.size());
  std::iota(order.begin(), order.end(), 0);
  std::optional<size_t> first; // the fastest engine so far
  bool isOvertaking = false, isLeftOut = false;
  for (const size_t e : order) {
    isLeftOut = isLeftOut || !engines[e].isConsidered;
    if (!engines[e].isConsidered || !engines[e].plan)
      continue;
    const bool isFaster = first && kClearly * expectedSeconds(load, engines[e].plan->speed) <
                                       expectedSeconds(load, engines[*first].plan->speed);
    isOvertaking = isOvertaking || isFaster || (!first && isLeftOut);
    if (!first || isFaster)
      first = e;
  }
  if (isOvertaking)
    std::rotate(order.begin(), order.begin() + static_cast<ptrdiff_t>(*first),
                order.begin() + static_cast<ptrdiff_t>(*first) + 1);
  return order;
}

void rethrowRefusal(const std::vector<ConsideredEngine> &engines) {
  std::vector<EngineAttempt> attempts;
  for (const ConsideredEngine &engine : engines)
    attempts.emplace_back([&engine]() -> CaseEngine { std::rethrow_exception(engine.refusal); });
  firstEngine(attempts);
  MPF_UNREACHABLE("{} engines, and none refuses", engines.size());
}

OpenedEngine openCaseEngine(const CaseProblem &problem) {
  return openFirst(offersFor(problem), loadOf(problem), problem.settings);
}

OpenedEngine openGivenLanes(const std::shared_ptr<const LaneProgram> &program,
                            const CaseSettings &settings, const CaseLoad &load) {
  EngineOffers offers;
  const MachineSpeed speed = storedSpeed();
  offers.add(CaseEngineKind::Lanes, 0, [&] {
    return planGivenLanes(program, settings, load, speed, gpuForCases(settings.compile.devices));
  });
  if (settings.compile.devices.isOpen())
    offers.addGpu(0, speed.gpu, [&](const Target &gpu) {
      return planGivenLanes(program, settings, load, speed, gpu);
    });
  return openFirst(offers, load, settings);
}

} // namespace mpf
