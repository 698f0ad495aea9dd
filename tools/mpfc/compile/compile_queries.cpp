#include "tools/mpfc/compile/compile_queries.h"

#include "codegen/pipeline/given_plan.h"
#include "codegen/specialise/verify_kernels.h"
#include "dsl/support/check.h"
#include "runtime/choose/jit_gpu.h"
#include "runtime/schedule/run_volume.h"
#include "tools/mpfc/compile/load_model.h"
#include "tools/mpfc/compile/memory_bound.h"
#include "tools/mpfc/compile/select_query.h"
#include "tools/mpfc/process/output.h"

#include <optional>
#include <utility>

namespace mpf::driver {

namespace {

/// What --autotune did, for people; of runs without it only what is wrong.
void showTuning(const TuningReport &report, bool measures) {
  if (!report.note.empty())
    say("mpfc: note: {}\n", report.note);
  const bool nothing = report.measured + report.taken == 0;
  if (!measures || (nothing && !report.note.empty()))
    return;
  say("mpfc: note: autotune: {} measured ({}), {} taken from the cache; {} faster than the model's "
      "choice{}\n",
      counted(report.measured, "kernel", "kernels"),
      counted(report.candidates, "candidate", "candidates"), report.taken, report.faster,
      nothing ? "; no kernel's runs can repay measuring" : "");
}

/// Its kernels are held against ours, unless they are believed; what is only printed is not run.
void judgeKernels(Bundle &bundle, const Options &options) {
  if (options.trust)
    bundle.foreignKernels = false;
  if (!bundle.foreignKernels || options.emitStage)
    return;
  const size_t images = adoptKernels(bundle, options.input);
  if (images != 0 && options.command == "run" && options.device != "cpu")
    say("mpfc: note: {}: its machine code is not used: --trust takes it as it is\n", options.input);
}

AutotuneOptions autotuneOptionsFor(const Options &options) {
  AutotuneOptions autotune;
  autotune.candidates = options.autotune;
  // Kernels are overridden by name, which is the name that --dump-kernels showed without choices.
  if (!options.overrideKernels.empty())
    autotune.candidates = 0;
  autotune.forbidCompiling = options.forbidCompiling;
  autotune.threads = options.threads;
  autotune.dumpKernels = options.dumpKernels;
  autotune.report = [measures = autotune.measures()](const TuningReport &report) {
    showTuning(report, measures);
  };
  return autotune;
}

/// A bundle that was read from its file.
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

void compileModel(const Model &model, const Options &given, Refusals &refusals,
                  const std::function<void(Bundle)> &take) {
  const Options options = withMemoryBound(given, model);
  QueryPolicy policy = queryPolicyFor(options, refusals);
  policy.settings.gpu = gpuChoiceFor(options, autotuneOptionsFor(options));
  policy.hooks = bothHooks(std::move(policy.hooks), gpuExpectation(options));
  if (!options.plan.empty())
    return compilePlans(model, options, policy, refusals, take);
  const std::vector<Query> queries = selectQueries(model, options);
  refusals.setQueries(namesOf(queries));
  mpf::compileEach(model, queries, policy, take);
}

} // namespace

CompileInput loadInput(const Options &options) {
  if (options.startStage != Stage::Bundle)
    return loadModelOrFail(options);
  return std::visit([](auto &&file) { return CompileInput(std::move(file)); },
                    readBundleFile(options.input));
}

void compileEach(CompileInput &&input, const Options &options, Refusals &refusals,
                 const std::function<void(Bundle)> &take) {
  if (const auto *model = std::get_if<Model>(&input))
    return compileModel(*model, options, refusals, take);
  if (std::holds_alternative<LaneProgram>(input))
    fail(ErrorKind::BadInput, "{}: the bundle answers lists of cases, not a single one",
         options.input);
  Bundle bundle = givenBundle(std::get<Bundle>(std::move(input)), options);
  refusals.setQueries({bundle.name});
  take(std::move(bundle));
}

Bundle compileQuery(const Model &model, const Query &query, const Options &given, SearchNote note) {
  const Options options = withMemoryBound(given, model);
  Refusals refusals;
  QueryPolicy policy = queryPolicyFor(options, refusals, std::move(note));
  policy.refusals = RefusalPolicy();
  policy.report = {};
  policy.settings.gpu = gpuChoiceFor(options, autotuneOptionsFor(options));
  std::optional<Bundle> compiled;
  mpf::compileEach(model, {query}, policy, [&](Bundle bundle) { compiled = std::move(bundle); });
  MPF_CHECK(compiled.has_value(), "query {} was neither compiled nor refused", query.name);
  return std::move(*compiled);
}

std::vector<Bundle> compileQueries(CompileInput input, const Options &options, Refusals &refusals) {
  std::vector<Bundle> bundles;
  compileEach(std::move(input), options, refusals,
              [&bundles](Bundle bundle) { bundles.push_back(std::move(bundle)); });
  return bundles;
}

} // namespace mpf::driver
