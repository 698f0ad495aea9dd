#include "tools/mpfc/compile/compile_queries.h"

#include "codegen/bundle/head/answered_queries.h"
#include "codegen/pipeline/given_plan.h"
#include "codegen/pipeline/joint_queries.h"
#include "codegen/specialise/verify_kernels.h"
#include "runtime/choose/jit_gpu.h"
#include "runtime/schedule/run_volume.h"
#include "tools/mpfc/compile/announce_work.h"
#include "tools/mpfc/compile/compile_query.h"
#include "tools/mpfc/compile/joined_queries.h"
#include "tools/mpfc/compile/load_model.h"
#include "tools/mpfc/compile/memory_bound.h"
#include "tools/mpfc/compile/plan_queries.h"
#include "tools/mpfc/compile/select_query.h"
#include "tools/mpfc/process/output.h"

#include <utility>

namespace mpf::driver {

namespace {

/// Compares the bundle's kernels with ours, unless --trust accepts them. Stages before the
/// answer plan do not depend on it.
void judgeKernels(Bundle &bundle, const Options &options) {
  if (options.trust)
    bundle.foreignKernels = false;
  if (!bundle.foreignKernels || (options.emitStage && options.emitStage != Stage::Answer))
    return;
  const size_t images = adoptKernels(bundle, options.input);
  if (images != 0 && options.command == "run" && !options.devices.excludesGpu())
    say("mpfc: note: {}: its machine code is not used: --trust takes it as it is\n", options.input);
}

/// Prepares a bundle that was read from its file.
Bundle givenBundle(Bundle bundle, const Options &given) {
  judgeKernels(bundle, given);
  requireMemory(bundle.name, tableBytes(bundle),
                given.command == "emit" ? given
                                        : withMemoryBound(given, runFacts(bundle, given.threads)));
  return bundle;
}

void compilePlans(const Model &model, const Options &options, const QueryPolicy &policy,
                  Refusals &refusals, const std::function<void(Bundle)> &take) {
  std::vector<ReadProgram> plans = readPlans(options.plan);
  std::vector<std::string> names;
  for (const ReadProgram &plan : plans)
    names.push_back(plan.program.name);
  refusals.setQueries(std::move(names));
  compileGivenPlans({model, options.input, [&] { return selectQueries(model, options); }},
                    std::move(plans), policy, take);
}

/// `options` have a memory bound.
QueryPolicy compilingPolicy(const Options &options, Refusals &refusals) {
  QueryPolicy policy = queryPolicyFor(options, refusals);
  chooseKernels(policy.settings, autotuneOptionsFor(options));
  policy.hooks = bothHooks(std::move(policy.hooks), gpuExpectation(options));
  policy.hooks = bothHooks(std::move(policy.hooks), noteLongRuns(options));
  return policy;
}

void compileModel(const Model &model, const Options &given, Refusals &refusals,
                  const std::function<void(Bundle)> &take, Joining joining) {
  const Options options = withMemoryBound(given, model);
  const QueryPolicy policy = compilingPolicy(options, refusals);
  if (!options.plan.empty())
    return compilePlans(model, options, policy, refusals, take);
  const std::vector<Query> queries = selectQueries(model, options);
  refusals.setQueries(namesOf(queries));
  if (joining == Joining::WhereItPays)
    return compileJoined(model, queries, policy, take);
  mpf::compileEach(model, queries, policy, take);
}

} // namespace

CompileInput loadInput(const Options &options, Refusals *refusals) {
  if (options.startStage != Stage::Bundle)
    return loadModelOrFail(options, refusals);
  return readProgramFile(options.input);
}

void compileEach(CompileInput &&input, const Options &options, Refusals &refusals,
                 const std::function<void(Bundle)> &take, Joining joining) {
  if (const auto *model = std::get_if<Model>(&input))
    return compileModel(*model, options, refusals, take, joining);
  Bundle bundle = givenBundle(
      programOfForm<Bundle>(std::get<StoredProgram>(std::move(input)), options.input), options);
  refusals.setQueries(answeredQueries(bundle));
  take(std::move(bundle));
}

void compileApart(const Model &model, const std::unordered_set<std::string> &names,
                  const Options &given, Refusals &refusals,
                  const std::function<void(Bundle)> &take) {
  const Options options = withMemoryBound(given, model);
  std::vector<Query> queries = selectQueries(model, options);
  std::erase_if(queries, [&names](const Query &query) { return !names.contains(query.name); });
  mpf::compileEach(model, queries, compilingPolicy(options, refusals), take);
}

std::vector<Bundle> compileQueries(CompileInput input, const Options &options, Refusals &refusals,
                                   Joining joining) {
  std::vector<Bundle> bundles;
  compileEach(
      std::move(input), options, refusals,
      [&bundles](Bundle bundle) { bundles.push_back(std::move(bundle)); }, joining);
  return bundles;
}

} // namespace mpf::driver
