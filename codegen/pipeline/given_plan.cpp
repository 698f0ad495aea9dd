#include "codegen/pipeline/given_plan.h"

#include "codegen/plan/initial/match_model.h"
#include "codegen/plan/program/program_memory.h"
#include "codegen/plan/program/slice_copies.h"
#include "dsl/source/text_error.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <optional>
#include <utility>

namespace mpf {

namespace {

/// Takes the values of factors and the observed states from the model.
void match(ReadProgram &plan, const Model &model, const Query &query, bool finalTables,
           const std::string &modelName) {
  if (const std::string mismatch = findMismatch(plan.program, model, query, finalTables);
      !mismatch.empty())
    failAt(ErrorKind::BadInput, plan.place, "this is no plan of {}: {}", modelName, mismatch);
  plan.program.evidence = model.evidence;
  plan.program.evidence.likelihoods.clear();
}

/// Returns the query of the plan's name. A name that the model does not have is a short form of the
/// plan's kind.
Query queryOf(const PlannedModel &of, const ReadProgram &plan) {
  const TableProgram &program = plan.program;
  for (const Query &query : of.model.queries)
    if (query.name == program.name)
      return query;
  if (!traitsOf(program.kind).isShortForm())
    failAt(ErrorKind::BadInput, plan.place, "this is no plan of {}, which has no query {}", of.name,
           program.name);
  std::vector<VarId> output;
  for (const VarId id : program.outputs.front().scope)
    if (const VarId original = originalOf(program, id);
        original.index() < of.model.variables.size())
      output.push_back(original);
  return shortQuery(of.model, program.kind, output);
}

Query askedQuery(const PlannedModel &of, const std::string &name) {
  for (Query &query : of.asked())
    if (query.name == name)
      return std::move(query);
  fail(ErrorKind::Usage,
       "the plan answers query {}, which is not asked for: choose it with --task, "
       "--query or --uai-query",
       name);
}

Bundle compilePlan(const PlannedModel &of, ReadProgram plan, const QueryPolicy &policy) {
  const Query planned = queryOf(of, plan);
  const ElementType type = elementTypeOf(planned, policy.settings.type);
  // Checks the memory before anything of that size is made; only the bundle knows that of signs.
  requireMemory(plan.program.name, planMemory(plan.program, type).peakBytes, policy.settings);
  const Pipeline pipeline = pipelineFor(policy, type);
  Simplified simple = pipeline.simplify(of.model, pipeline.options().simplify.finalTables
                                                      ? askedQuery(of, plan.program.name)
                                                      : planned);
  match(plan, simple.model, simple.query, simple.answer.has_value(), of.name);
  Bundle bundle = pipeline.compileProgram(simple.model, plan.program, std::move(simple.answer),
                                          ProgramOrigin::Text);
  requireMemory(bundle.name, saturatingAdd(bundle.inputArenaBytes, bundle.workArenaBytes),
                policy.settings);
  return bundle;
}

} // namespace

void compileGivenPlans(const PlannedModel &of, std::vector<ReadProgram> plans,
                       const QueryPolicy &policy, const std::function<void(Bundle)> &take) {
  for (ReadProgram &plan : plans) {
    std::optional<Bundle> bundle;
    policy.refusals.attempt(std::string(plan.program.name),
                            [&] { bundle.emplace(compilePlan(of, std::move(plan), policy)); });
    if (bundle)
      take(std::move(*bundle));
  }
}

} // namespace mpf
