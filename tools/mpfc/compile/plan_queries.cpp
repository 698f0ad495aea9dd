#include "tools/mpfc/compile/plan_queries.h"

#include "codegen/plan/program/print_program.h"
#include "codegen/plan/program/read_program.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/simplify/print_simplified.h"
#include "codegen/specialise/device_costs.h"
#include "codegen/specialise/specialise_options.h"
#include "dsl/source/suggest.h"
#include "dsl/support/check.h"
#include "tools/mpfc/compile/load_model.h"
#include "tools/mpfc/compile/memory_bound.h"
#include "tools/mpfc/compile/query_policy.h"
#include "tools/mpfc/compile/select_query.h"
#include "tools/mpfc/process/output.h"

#include <optional>
#include <utility>

namespace mpf::driver {

namespace {

std::vector<Query> selected(const Model &model, const Options &options, Refusals &refusals) {
  std::vector<Query> queries = selectQueries(model, options);
  refusals.setQueries(namesOf(queries));
  return queries;
}

} // namespace

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
