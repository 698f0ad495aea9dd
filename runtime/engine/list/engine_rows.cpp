#include "runtime/engine/list/engine_rows.h"

#include "dsl/support/check.h"
#include "runtime/engine/enumerate/enumerate_engine.h"
#include "runtime/engine/lanes/lane_engine.h"
#include "runtime/engine/single/single_engine.h"
#include "runtime/engine/tables/table_engine.h"

namespace mpf {

namespace {

double lanesUs(const CaseProblem &problem) {
  return problem.speed.engines.planning.lanes * programPlanningUs(problem);
}

/// The rows have the order of AnswerForm.
constexpr EngineRow kEngines[] = {
    {.form = AnswerForm::Lanes,
     .plan = planLaneEngine,
     .refusal = laneRefusal,
     .planningUs = lanesUs,
     .triesGpu = true,
     .plansQuickly = true},
    {.form = AnswerForm::Tables,
     .plan = planTableEngine,
     .planningUs = programPlanningUs,
     .plansQuickly = true,
     .isForFewCases = true},
    {.form = AnswerForm::SingleRuns,
     .plan = planSingleEngine,
     .planningUs = programPlanningUs,
     .plansQuickly = true},
    {.form = AnswerForm::Enumerate,
     .plan = planEnumeration,
     .refusal = enumerationRefusal,
     .planningUs = [](const CaseProblem &) { return 0.0; }},
};
static_assert(std::size(kEngines) == kAnswerForms.size());

} // namespace

const EngineRow &engineRowOf(AnswerForm form) {
  const EngineRow &row = kEngines[static_cast<size_t>(form)];
  MPF_CHECK(row.form == form, "the row of {} is that of {}", traitsOf(form).name,
            traitsOf(row.form).name);
  return row;
}

} // namespace mpf
