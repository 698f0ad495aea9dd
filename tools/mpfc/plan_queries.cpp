#include "tools/mpfc/plan_queries.h"

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
#include "tools/mpfc/load_model.h"
#include "tools/mpfc/memory_bound.h"
#include "tools/mpfc/output.h"
#include "tools/mpfc/search_interrupt.h"
#include "tools/mpfc/select_query.h"

#include <optional>
#include <utility>

namespace mpf::driver {

namespace {

/// A search that the clock or a signal ended can be repeated by its rounds.
void noteSearch(const SearchEffort &effort) {
  if (effort.truncated)
    say("mpfc: note: the search for an order ended before its first greedy run\n");
  else if (effort.stopped)
    say("mpfc: note: the search for an order ended after {} rounds (--plan-rounds {} "
        "repeats it)\n",
        effort.rounds, effort.rounds);
}

PipelineHooks hooksFor(const Options &options) {
  PipelineHooks notes;
  notes.searched = noteSearch;
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

QueryPolicy queryPolicyFor(const Options &options, Refusals &refusals) {
  checkPassNames(options, options.printAfter);
  QueryPolicy policy;
  policy.settings = options;
  policy.hooks = hooksFor(options);
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

std::vector<ReadProgram> readPlans(const std::string &path) {
  Diagnostics diagnostics;
  std::optional<std::vector<ReadProgram>> programs = readPrograms(loadText(path), diagnostics);
  printDiagnostics(diagnostics);
  if (!programs)
    fail(ErrorKind::Internal, "{}: no plan and no error reported", path);
  return std::move(*programs);
}

std::vector<TypedProgram> programsFor(const Options &options, Refusals &refusals) {
  std::vector<TypedProgram> programs;
  if (options.startStage == Stage::Plan) {
    for (ReadProgram &read : readPlans(options.input))
      programs.push_back({std::move(read.program), typeOfPlan(options)});
    std::vector<std::string> names;
    for (const TypedProgram &typed : programs)
      names.push_back(typed.program.name);
    refusals.setQueries(std::move(names));
    return programs;
  }
  const Model model = loadModelOrFail(options);
  const bool bounded = options.emitStage && *options.emitStage >= Stage::Plan;
  planEach(model, bounded ? withMemoryBound(options, model) : options, refusals,
           [&programs](PlannedQuery planned) {
             programs.push_back({std::move(planned.program), planned.type});
           });
  return programs;
}

} // namespace mpf::driver
