#include "runtime/engine/list/planning_price.h"

namespace mpf {

namespace {

/// Lanes that take less than this to plan come first for any number of cases: users do not notice
/// it.
constexpr double kUnnoticedUs = 30'000;
/// Half a strip on a CPU, because more cases are faster in lanes; on a GPU as many as were
/// measured.
constexpr double kFewCases = 16, kFewCasesOfGpu = 64;
/// A swept param changes few tables, so all cases share most messages. Lanes compute these in wide
/// numbers, tables by their fastest kernels. Over 24 pedigrees and 64 values, tables were predicted
/// to take 0.07 to 7.3 times as long as lanes, and at most 134 ms longer. A long sweep is left to
/// lanes, because the search for an order of its tables would take long too.
constexpr double kShortSweep = 256;
/// Planning lanes must take this long. Smaller linkage networks gain nothing when tables come
/// first: with the planning of both engines, linkage_24 took 1.5 times as long, linkage_21 0.6.
constexpr double kLongPlanningUs = 200'000;

/// Whether cases set tables alone, by params, and no evidence.
bool isSweep(const CaseSchema &schema) {
  return !schema.tables.empty() && schema.observed.empty() && schema.likelihoods.empty();
}

/// Returns the most cases that tables answer before lanes are planned, which takes `lanesUs`, more
/// than kUnnoticedUs.
double mostFirstCases(const CaseProblem &problem, double lanesUs) {
  if (problem.gpu)
    return kFewCasesOfGpu;
  return isSweep(problem.schema) && lanesUs > kLongPlanningUs ? kShortSweep : kFewCases;
}

} // namespace

double planningPriceUs(const CaseProblem &problem, AnswerForm form, bool onGpu) {
  if (form == AnswerForm::Lanes &&
      givesLanes(problem.settings, onGpu ? DeviceKind::Gpu : DeviceKind::Cpu))
    return 0;
  return engineRowOf(form).planningUs(problem);
}

bool plansTablesFirst(const CaseProblem &problem) {
  const CaseLoad load = loadOf(problem);
  const double lanesUs = planningPriceUs(problem, AnswerForm::Lanes, problem.gpu.has_value());
  return lanesUs > kUnnoticedUs && load.isKnown() &&
         load.cases() <= mostFirstCases(problem, lanesUs);
}

} // namespace mpf
