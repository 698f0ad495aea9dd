#include "tools/mpfc/engines/choose_engine.h"

#include "dsl/support/check.h"
#include "runtime/api/gpu_backend.h"
#include "runtime/api/jit_gpu.h"
#include "tools/mpfc/cases/first_engine.h"
#include "tools/mpfc/compile/memory_bound.h"
#include "tools/mpfc/engines/lane_engine.h"
#include "tools/mpfc/engines/single_engine.h"
#include "tools/mpfc/engines/table_engine.h"
#include "tools/mpfc/process/output.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace mpf::driver {

namespace {

constexpr double kUnknownRows = 1e4;
/// Planning one more engine takes half of this, about.
constexpr double kWorthPlanningSeconds = 0.2;

/// Lanes take logarithms of nothing, and check nothing a second time.
bool mayTakeLanes(const Options &options) { return !options.forcedLog && !options.verify; }

std::vector<CaseEngineKind> enginesFor(const Options &options) {
  if (!mayTakeLanes(options))
    return {CaseEngineKind::Tables, CaseEngineKind::Single};
  return {CaseEngineKind::Lanes, CaseEngineKind::Tables, CaseEngineKind::Single};
}

/// Of all answers to it that are expected.
double expectedSeconds(const CaseProblem &problem, const EngineSpeed &speed) {
  return listSeconds(problem, speed) * problem.options.expectedRuns.value_or(1);
}

/// The GPU that runs the cases. None where the machine has none: opening the engine says so.
std::optional<Target> gpuFor(const Options &options) {
  if (options.device != "gpu")
    return std::nullopt;
  return gpuBackendUnavailable().empty() && plannerKnowsGpu() ? targetNamed(gpuBackendArch())
                                                              : Target{};
}

} // namespace

PlannedEngine planEngine(const CaseProblem &problem, CaseEngineKind kind) {
  switch (kind) {
  case CaseEngineKind::Lanes:
    return planLaneEngine(problem);
  case CaseEngineKind::Tables:
    return planTableEngine(problem);
  case CaseEngineKind::Single:
    return planSingleEngine(problem);
  }
  MPF_UNREACHABLE("engine {}", static_cast<int>(kind));
}

double listSeconds(const CaseProblem &problem, const EngineSpeed &speed) {
  return speed.secondsFor(problem.rows ? static_cast<double>(*problem.rows) : kUnknownRows);
}

std::vector<AskedEngine> planEngines(const CaseProblem &problem, bool all) {
  std::vector<AskedEngine> engines;
  std::optional<double> best; // predicted seconds
  for (const CaseEngineKind kind : enginesFor(problem.options)) {
    AskedEngine &engine = engines.emplace_back();
    engine.kind = kind;
    engine.isAsked = !best || *best >= kWorthPlanningSeconds;
    if (!engine.isAsked && !all)
      continue;
    try {
      engine.plan = planEngine(problem, kind);
      const double seconds = expectedSeconds(problem, engine.plan->speed);
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

std::vector<size_t> openingOrder(const CaseProblem &problem,
                                 const std::vector<AskedEngine> &engines) {
  std::vector<size_t> order(engines.size());
  std::iota(order.begin(), order.end(), 0);
  std::optional<size_t> first; // the fastest
  bool isOvertaking = false;
  for (const size_t e : order) {
    if (!engines[e].isAsked || !engines[e].plan)
      continue;
    const bool isFaster = first && kClearly * listSeconds(problem, engines[e].plan->speed) <
                                       listSeconds(problem, engines[*first].plan->speed);
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

CaseEngine makeCaseEngine(const Model &model, const CaseSource &cases, const Query &query,
                          const Options &given) {
  const Options options = withMemoryBound(given, model);
  const CaseProblem problem{model,   cases.schema(),    query,
                            options, cases.caseCount(), gpuFor(options)};
  const std::vector<AskedEngine> engines = planEngines(problem, false);
  std::vector<EngineAttempt> attempts;
  for (const size_t e : openingOrder(problem, engines))
    attempts.emplace_back([&problem, &engine = engines[e]] {
      if (engine.refusal)
        std::rethrow_exception(engine.refusal);
      return engine.plan ? engine.plan->open() : planEngine(problem, engine.kind).open();
    });
  ChosenEngine chosen = firstEngine(attempts);
  if (chosen.attempt + 1 == attempts.size() && chosen.wasTooLarge)
    say("mpfc: note: query {}: one case is answered after the other: the tables of several at once "
        "exceed the memory bound\n",
        query.name);
  return std::move(chosen.engine);
}

} // namespace mpf::driver
