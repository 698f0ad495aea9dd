#include "runtime/cases/choose_engine.h"

#include "dsl/support/check.h"
#include "runtime/api/gpu_backend.h"
#include "runtime/api/jit_gpu.h"
#include "runtime/cases/first_engine.h"
#include "runtime/cases/lane_engine.h"
#include "runtime/cases/single_engine.h"
#include "runtime/cases/table_engine.h"
#include "runtime/execute/host/gpu_or_cpu.h"
#include "runtime/predict/stored_speed.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <numeric>
#include <string>
#include <utility>

namespace mpf {

namespace {

/// Planning one more engine takes a third of this, about.
constexpr double kWorthPlanningSeconds = 0.1;

/// A way to plan an engine of some kind.
struct EngineWay {
  CaseEngineKind kind = CaseEngineKind::Lanes;
  std::function<PlannedEngine()> plan;
};

/// Lanes take logarithms of nothing, and check nothing a second time.
bool mayTakeLanes(const CaseSettings &settings) {
  return !settings.compile.forcedLog && settings.session.verifySamples == 0;
}

std::vector<CaseEngineKind> enginesFor(const CaseSettings &settings) {
  std::vector<CaseEngineKind> kinds;
  if (mayTakeLanes(settings))
    kinds.push_back(CaseEngineKind::Lanes);
  if (mayTakeLanes(settings) && settings.compile.device == "auto")
    kinds.push_back(CaseEngineKind::GpuLanes);
  kinds.push_back(CaseEngineKind::Tables);
  kinds.push_back(CaseEngineKind::Single);
  return kinds;
}

/// Of all answers that are expected.
double expectedSeconds(const CaseLoad &load, const EngineSpeed &speed) {
  return speed.startSeconds + speed.secondsFor(load.cases());
}

/// Looking for a GPU takes some time, and bringing it up more.
double worthPlanningSeconds(CaseEngineKind kind) {
  return kind == CaseEngineKind::GpuLanes ? kClearly * 1e-6 * storedSpeed().gpu.openUs
                                          : kWorthPlanningSeconds;
}

/// Whether the machine has a GPU that the planner knows, or one that does not work.
bool mayHaveGpu() {
  if (!gpuBackendUnavailable().empty())
    return !gpuBackendFault().empty();
  const std::string arch = gpuBackendArch();
  return arch.empty() || knowsGpu(arch);
}

/// Throws Error(Unsupported) where there is none, Error(Device) where it does not work.
Target machineGpu() {
  const std::string arch = requiredGpuArch();
  if (!knowsGpu(arch))
    fail(ErrorKind::Unsupported, "the planner knows no GPU {}", arch);
  return targetNamed(arch);
}

/// Calls what the machine's GPU does for cases whose device was left open. Should it fail, `fault`
/// says so, and others may answer: a refusal (first_engine.h).
template <class Call> auto orRefusal(std::string &fault, const Call &call) {
  return onGpuOrCpu("auto", call, [&fault](std::string failed) -> decltype(call()) {
    fault = std::move(failed);
    fail(ErrorKind::Unsupported, "{}", fault);
  });
}

PlannedEngine planLanesOn(const Target &gpu, const CaseProblem &problem) {
  CaseProblem onGpu = problem;
  onGpu.gpu = gpu;
  return planLaneEngine(onGpu);
}

/// Lanes on the GPU of a machine that was left the choice. `fault` lives as long as the ways. To
/// plan takes the host's memory alone: a plan that exceeds the bound is no fault of the GPU.
EngineWay wayByGpu(std::function<PlannedEngine(const Target &)> plan,
                   const std::shared_ptr<std::string> &fault) {
  return {CaseEngineKind::GpuLanes, [plan = std::move(plan), fault] {
            PlannedEngine planned = plan(orRefusal(*fault, machineGpu));
            planned.open = [open = std::move(planned.open), fault] {
              return orRefusal(*fault, open);
            };
            return planned;
          }};
}

/// `expected`: CompileSettings::gpuExpected.
std::vector<AskedEngine> planWays(const std::vector<EngineWay> &ways, const CaseLoad &load,
                                  const std::function<void()> &expected, bool all) {
  std::vector<AskedEngine> engines;
  std::optional<double> best; // predicted seconds
  for (const EngineWay &way : ways) {
    const bool isAsked = !best || *best >= worthPlanningSeconds(way.kind);
    if (way.kind == CaseEngineKind::GpuLanes && isAsked && best && expected && !all)
      expected();
    // A machine without a GPU has one way less.
    if (way.kind == CaseEngineKind::GpuLanes && ((!isAsked && !all) || !mayHaveGpu()))
      continue;
    AskedEngine &engine = engines.emplace_back();
    engine.kind = way.kind;
    engine.isAsked = isAsked;
    if (!isAsked && !all)
      continue;
    try {
      engine.plan = way.plan();
      const double seconds = expectedSeconds(load, engine.plan->speed);
      best = std::min(best.value_or(seconds), seconds);
    } catch (const Error &error) {
      if (!isRefusal(error))
        throw;
      engine.refusal = std::current_exception();
    } catch (const std::bad_alloc &) {
      if (all) // what is explained must not depend on it
        throw;
      engine.refusal = std::current_exception();
    }
  }
  return engines;
}

/// Of one problem, or of one program.
struct EngineWays {
  std::vector<EngineWay> ways;
  /// What failed of a GPU that was left for that; "": nothing.
  std::shared_ptr<std::string> gpuFault = std::make_shared<std::string>();

  void add(CaseEngineKind kind, std::function<PlannedEngine()> plan) {
    ways.push_back({kind, std::move(plan)});
  }
  void addGpu(std::function<PlannedEngine(const Target &)> plan) {
    ways.push_back(wayByGpu(std::move(plan), gpuFault));
  }
};

EngineWays waysFor(const CaseProblem &problem) {
  EngineWays ways;
  for (const CaseEngineKind kind : enginesFor(problem.settings))
    if (kind == CaseEngineKind::GpuLanes)
      ways.addGpu([&problem](const Target &gpu) { return planLanesOn(gpu, problem); });
    else
      ways.add(kind, [&problem, kind] { return planEngine(problem, kind); });
  return ways;
}

/// What it says of its own device comes later than `gpuFault`.
void addFault(CaseEngine &engine, const std::string &gpuFault) {
  if (!gpuFault.empty())
    engine.deviceFault = [gpuFault] { return gpuFault; };
}

OpenedEngine openFirst(const EngineWays &given, const CaseLoad &load,
                       const std::function<void()> &expected) {
  const std::vector<EngineWay> &ways = given.ways;
  const std::vector<AskedEngine> engines = planWays(ways, load, expected, false);
  const std::vector<size_t> order = openingOrder(load, engines);
  std::vector<EngineAttempt> attempts;
  for (const size_t e : order)
    attempts.emplace_back([&engine = engines[e], &ways] {
      if (engine.refusal)
        std::rethrow_exception(engine.refusal);
      if (engine.plan)
        return engine.plan->open();
      return std::ranges::find(ways, engine.kind, &EngineWay::kind)->plan().open();
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

std::optional<Target> gpuForCases(const std::string &device) {
  if (device != "gpu")
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

std::vector<AskedEngine> planEngines(const CaseProblem &problem, bool all) {
  return planWays(waysFor(problem).ways, loadOf(problem), {}, all);
}

std::vector<size_t> openingOrder(const CaseLoad &load, const std::vector<AskedEngine> &engines) {
  std::vector<size_t> order(engines.size());
  std::iota(order.begin(), order.end(), 0);
  std::optional<size_t> first; // the fastest
  bool isOvertaking = false;
  for (const size_t e : order) {
    if (!engines[e].isAsked || !engines[e].plan)
      continue;
    const bool isFaster = first && kClearly * expectedSeconds(load, engines[e].plan->speed) <
                                       expectedSeconds(load, engines[*first].plan->speed);
    isOvertaking = isOvertaking || isFaster;
    if (!first || isFaster)
      first = e;
  }
  if (isOvertaking)
    std::rotate(order.begin(), order.begin() + static_cast<ptrdiff_t>(*first),
                order.begin() + static_cast<ptrdiff_t>(*first) + 1);
  return order;
}

void rethrowRefusal(const std::vector<AskedEngine> &engines) {
  std::vector<EngineAttempt> attempts;
  for (const AskedEngine &engine : engines)
    attempts.emplace_back([&engine]() -> CaseEngine { std::rethrow_exception(engine.refusal); });
  firstEngine(attempts);
  MPF_UNREACHABLE("{} engines, and none refuses", engines.size());
}

OpenedEngine openCaseEngine(const CaseProblem &problem) {
  return openFirst(waysFor(problem), loadOf(problem), problem.settings.compile.gpuExpected);
}

OpenedEngine openGivenLanes(const std::shared_ptr<const LaneProgram> &program,
                            const CaseSettings &settings, const CaseLoad &load) {
  EngineWays ways;
  ways.add(CaseEngineKind::Lanes, [&] {
    return planGivenLanes(program, settings, load, gpuForCases(settings.compile.device));
  });
  if (settings.compile.device == "auto")
    ways.addGpu([&](const Target &gpu) { return planGivenLanes(program, settings, load, gpu); });
  return openFirst(ways, load, settings.compile.gpuExpected);
}

} // namespace mpf
