#include "tools/mpfc/emit_answer.h"

#include "dsl/support/check.h"
#include "runtime/choose/answer/choose_answer.h"
#include "runtime/choose/answer/verify_answer.h"
#include "runtime/choose/jit_gpu.h"
#include "runtime/engine/list/choose_engine.h"
#include "runtime/session/open_executor.h"
#include "tools/mpfc/cases/case_list.h"
#include "tools/mpfc/compile/case_settings_for.h"
#include "tools/mpfc/compile/memory_bound.h"
#include "tools/mpfc/compile/select_query.h"
#include "tools/mpfc/compile/session_options.h"

#include <optional>

namespace mpf::driver {

namespace {

std::string checkedText(const AnswerPlan &plan, const Bundle *bundle) {
  const std::string fault = answerPlanFault(plan, bundle);
  MPF_CHECK(fault.empty(), "answer of {}: {}", plan.query, fault);
  return printAnswerPlan(plan);
}

/// Returns the plan that a session of the bundle opens. If the compiler made no kernels for this
/// machine's GPU, returns the compiler's choice, which says why.
AnswerPlan planOf(const Bundle &bundle, const Options &options) {
  const bool isRead = options.startStage == Stage::Bundle;
  if (options.target.empty() && !options.givenMachine && (isRead || bundle.tableDriven))
    return planAnswer(bundle, sessionOptionsFor(options), true);
  AnswerConditions conditions = answerConditions(options);
  conditions.isOpened = conditions.predictsAll = true;
  if (isRead && !bundle.tableDriven)
    conditions.lacksKernels = "the program has no GPU kernels";
  return chooseAnswer(bundle, conditions).plan;
}

/// Returns the GPU that runs the cases: the one of --target, else this machine's. None unless the
/// devices require one. Throws Error(Device) if this machine has none.
std::optional<Target> gpuOfList(const Options &options) {
  if (!options.devices.requiresGpu())
    return std::nullopt;
  return targetNamed(options.target.empty() ? requiredGpuArch(options.devices.gpuNumber())
                                            : options.target);
}

} // namespace

std::string emitAnswers(const std::vector<Bundle> &bundles, const Options &options) {
  std::string text;
  for (const Bundle &bundle : bundles)
    text += checkedText(planOf(bundle, options), &bundle);
  return text;
}

std::string emitListAnswers(const Model &model, const Options &given, Refusals &refusals) {
  const Options options = withMemoryBound(withStreamMemory(given), model);
  const std::vector<Query> queries = selectQueries(model, options);
  refusals.setQueries(namesOf(queries));
  const CaseList list = caseListOf(model, queries, options);
  const std::optional<Target> gpu = gpuOfList(options);
  std::string text;
  for (const Query &query : queries)
    refusals.attempt(query.name, [&] {
      const CaseProblem problem = caseProblemFor(list.single, *list.source, query, options, gpu);
      PlannedList planned = planList(problem, true);
      planned.describe();
      text += checkedText(planned.answer(), nullptr);
    });
  return text;
}

} // namespace mpf::driver
