#include "runtime/engine/list/planning_price.h"

namespace mpf {

namespace {

/// Lanes that take less than this to plan come first for any number of cases: users do not notice
/// it.
constexpr double kUnnoticedUs = 30'000;
/// Half a strip on a CPU, because more cases are faster in lanes; on a GPU as many as were
/// measured.
constexpr double kFewCases = 16, kFewCasesOfGpu = 64;

} // namespace

double planningPriceUs(const CaseProblem &problem, AnswerForm form, bool onGpu) {
  if (form == AnswerForm::Lanes &&
      givesLanes(problem.settings, onGpu ? DeviceKind::Gpu : DeviceKind::Cpu))
    return 0;
  return engineRowOf(form).planningUs(problem);
}

bool plansTablesFirst(const CaseProblem &problem) {
  const CaseLoad load = loadOf(problem);
  return load.isKnown() && load.cases() <= (problem.gpu ? kFewCasesOfGpu : kFewCases) &&
         planningPriceUs(problem, AnswerForm::Lanes, problem.gpu.has_value()) > kUnnoticedUs;
}

} // namespace mpf
