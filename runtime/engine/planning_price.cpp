#include "runtime/engine/planning_price.h"

#include "dsl/support/check.h"

namespace mpf {

namespace {

/// Lanes that take less than this to plan come first for any number of cases: users do not notice
/// it.
constexpr double kUnnoticedUs = 30'000;
/// Half a strip on a CPU, because more cases are faster in lanes; on a GPU as many as were
/// measured.
constexpr double kFewCases = 16, kFewCasesOfGpu = 64;

} // namespace

double planningUs(const CaseProblem &problem, CaseEngineKind kind) {
  const PlanningRates &rates = problem.speed.engines.planning;
  const double passes = problem.query.kind == QueryKind::Marginals ? rates.marginals : 1;
  const double programUs =
      passes *
      (rates.programUs + rates.factorUs * static_cast<double>(problem.model.factors.size()));
  switch (kind) {
  case CaseEngineKind::Lanes:
  case CaseEngineKind::GpuLanes:
    return rates.lanes * programUs;
  case CaseEngineKind::Tables:
  case CaseEngineKind::Single:
    return programUs;
  }
  MPF_UNREACHABLE("engine {}", static_cast<int>(kind));
}

double planningPriceUs(const CaseProblem &problem, CaseEngineKind kind) {
  const bool onGpu = kind == CaseEngineKind::GpuLanes || problem.gpu.has_value();
  const bool isOfLanes = kind == CaseEngineKind::Lanes || kind == CaseEngineKind::GpuLanes;
  if (isOfLanes && problem.settings.plannedLanes == (onGpu ? LaneDevice::Gpu : LaneDevice::Cpu))
    return 0;
  return planningUs(problem, kind);
}

bool plansTablesFirst(const CaseProblem &problem) {
  const CaseLoad load = loadOf(problem);
  return load.isKnown() && load.cases() <= (problem.gpu ? kFewCasesOfGpu : kFewCases) &&
         planningPriceUs(problem, CaseEngineKind::Lanes) > kUnnoticedUs;
}

} // namespace mpf
