#include "tools/mpfc/compile/plan_queries.h"

#include "codegen/pipeline/pass_names.h"
#include "codegen/pipeline/pass_report.h"
#include "codegen/plan/program/print_program.h"
#include "codegen/plan/program/read_program.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/simplify/print_simplified.h"
#include "codegen/specialise/device_costs.h"
#include "codegen/specialise/specialise_options.h"
#include "dsl/source/suggest.h"
#include "dsl/support/error.h"
#include "tools/mpfc/compile/load_model.h"
#include "tools/mpfc/compile/memory_bound.h"
#include "tools/mpfc/compile/select_query.h"
#include "tools/mpfc/process/output.h"
#include "tools/mpfc/process/search_interrupt.h"

#include <optional>
#include <utility>

namespace mpf::driver {

void noteSearch(const SearchEffort &effort) {
  if (effort.truncated)
    say("mpfc: note: the search for an order ended before its first greedy run\n");
  else if (effort.stopped)
    say("mpfc: note: the search for an order ended after {} rounds (--plan-rounds {} "
        "repeats it)\n",
        effort.rounds, effort.rounds);
}

SearchNote noteFirstSearch() {
  return [wasEnded = std::make_shared<bool>(false)](const SearchEffort &effort) {
    if (!std::exchange(*wasEnded, *wasEnded || effort.truncated || effort.stopped))
      noteSearch(effort);
  };
}

namespace {

PipelineHooks hooksFor(const Options &options, SearchNote note) {
  PipelineHooks notes;
  notes.searched = std::move(note);
  return bothHooks(reportHooks({options.printAfter, options.printChanged, options.timePasses,
                                [](const std::string &text) { say("{}", text); }}),
                   std::move(notes));
}

std::vector<Query> selected(const Model &model, const Options &options, Refusals &refusals) {
  std::vector<Query> queries = selectQueries(model, options);
  refusals.setQueries(namesOf(queries));
  return queries;
}

} // namespace

QueryPolicy queryPolicyFor(const Options &options, Refusals &refusals, SearchNote note) {
  checkPassNames(options, options.printAfter);
  checkRunPasses(options, options.startStage == Stage::Plan);
  QueryPolicy policy;
  policy.settings = options;
  policy.hooks = hooksFor(options, std::move(note));
  policy.refusals = refusals.policy();
  policy.stop = [] {
    const auto interrupt = std::make_shared<SearchInterrupt>();
    return std::shared_ptr<const std::atomic<bool>>(interrupt, interrupt->flag());
  };
  policy.report = printDiagnostics;
  return policy;
}

void simplifyEach(const Model &model, const Options &options, Refusals &refusals,
                  const std::function<void(Simplified)> &take) {
  const std::vector<Query> queries = selected(model, options, refusals);
  mpf::simplifyEach(model, queries, queryPolicyFor(options, refusals), take);
}

void planEach(const Model &model, const Options &options, Refusals &refusals,
              const std::function<void(PlannedQuery)> &take) {
  const std::vector<Query> queries = selected(model, options, refusals);
  mpf::planEach(model, queries, queryPolicyFor(options, refusals), take);
}

std::vector<ReadProgram> readPlans(const std::string &path, const VerifyStages &stages) {
  Diagnostics diagnostics;
  std::optional<std::vector<ReadProgram>> programs =
      readPrograms(loadText(path), diagnostics, stages);
  printDiagnostics(diagnostics);
  if (!programs)
    fail(ErrorKind::Internal, "{}: no plan and no error reported", path);
  return std::move(*programs);
}

namespace {

/// --run-pass; what comes after plans needs complete ones.
TableProgram throughPasses(TableProgram program, const Options &options,
                           const QueryPolicy &policy) {
  program =
      pipelineFor(policy, typeOfPlan(options)).runPlanPasses(std::move(program), options.runPasses);
  if (options.emitStage != Stage::Plan)
    if (const auto fault = verifyProgram(program))
      fail(ErrorKind::BadInput, "the plan of {} is not complete: {}", program.name, *fault);
  return program;
}

std::vector<TypedProgram> givenPrograms(const Options &options, Refusals &refusals) {
  const bool runsPasses = !options.runPasses.empty();
  const QueryPolicy policy = queryPolicyFor(options, refusals);
  std::vector<ReadProgram> plans =
      readPlans(options.input, runsPasses ? VerifyStages{false, false} : VerifyStages{});
  std::vector<std::string> names;
  for (const ReadProgram &plan : plans)
    names.push_back(plan.program.name);
  refusals.setQueries(std::move(names));
  std::vector<TypedProgram> programs;
  for (ReadProgram &plan : plans)
    policy.refusals.attempt(std::string(plan.program.name), [&] {
      if (runsPasses)
        plan.program = throughPasses(std::move(plan.program), options, policy);
      programs.push_back({std::move(plan.program), typeOfPlan(options)});
    });
  return programs;
}

} // namespace

std::vector<TypedProgram> programsFor(const Options &options, Refusals &refusals) {
  if (options.startStage == Stage::Plan)
    return givenPrograms(options, refusals);
  return programsFor(loadModelOrFail(options), options, refusals);
}

std::vector<TypedProgram> programsFor(const Model &model, const Options &options,
                                      Refusals &refusals) {
  std::vector<TypedProgram> programs;
  const bool bounded = options.emitStage && *options.emitStage >= Stage::Plan;
  planEach(model, bounded ? withMemoryBound(options, model) : options, refusals,
           [&programs](PlannedQuery planned) {
             programs.push_back({std::move(planned.program), planned.type});
           });
  return programs;
}

} // namespace mpf::driver
