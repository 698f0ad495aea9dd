#include "tools/mpfc/emit_answer.h"

#include "codegen/kernel/form/target.h"
#include "dsl/support/check.h"
#include "runtime/choose/answer/choose_answer.h"
#include "runtime/engine/list_answer.h"
#include "runtime/machine/stored_speed.h"
#include "tools/mpfc/cases/case_list.h"
#include "tools/mpfc/compile/case_settings_for.h"
#include "tools/mpfc/compile/memory_bound.h"
#include "tools/mpfc/compile/select_query.h"

#include <optional>

namespace mpf::driver {

namespace {

PlacementConditions conditionsOf(const Options &options) {
  PlacementConditions conditions{options.threads, options.expectedRuns.value_or(1), storedSpeed()};
  conditions.speed.gpu.multiprocessors = targetOrReference(options.target).smCount;
  return conditions;
}

std::string checkedText(const AnswerPlan &plan, const Bundle *bundle) {
  const std::string fault = answerPlanFault(plan, bundle);
  MPF_CHECK(fault.empty(), "answer of {}: {}", plan.query, fault);
  return printAnswerPlan(plan);
}

} // namespace

AnswerPlan answerPlanFor(const Bundle &bundle, const DeviceRequest &devices, const Options &options,
                         bool predictsAll) {
  AnswerConditions conditions{devices, [&options] { return conditionsOf(options); }};
  if (options.maxMemoryBytes)
    conditions.hostBytes = [&options] { return *options.maxMemoryBytes; };
  if (!bundle.tableDriven)
    conditions.lacksKernels = "the program has no GPU kernels";
  conditions.isOpened = true;
  conditions.predictsAll = predictsAll;
  return chooseAnswer(bundle, conditions).plan;
}

std::string emitAnswers(const std::vector<Bundle> &bundles, const Options &options) {
  std::string text;
  for (const Bundle &bundle : bundles)
    text += checkedText(answerPlanFor(bundle, options.devices, options, true), &bundle);
  return text;
}

std::string emitListAnswers(const Model &model, const Options &given, Refusals &refusals) {
  const Options options = withMemoryBound(withStreamMemory(given), model);
  const std::vector<Query> queries = selectQueries(model, options);
  refusals.setQueries(namesOf(queries));
  const CaseList list = caseListOf(model, queries, options);
  const std::optional<Target> gpu = options.devices.requiresGpu()
                                        ? std::optional(targetOrReference(options.target))
                                        : std::nullopt;
  std::string text;
  for (const Query &query : queries)
    refusals.attempt(query.name, [&] {
      const CaseProblem problem = caseProblemFor(list.single, *list.source, query, options, gpu);
      const std::vector<ConsideredEngine> engines = planEngines(problem, true);
      text += checkedText(
          listAnswerPlan(problem, engines, engineFacts(engines, loadOf(problem).cases())), nullptr);
    });
  return text;
}

} // namespace mpf::driver
