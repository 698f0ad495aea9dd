#include "tools/mpfc/compile_queries.h"

#include "codegen/bundle/read_bundle.h"
#include "codegen/pipeline.h"
#include "codegen/plan/initial/match_model.h"
#include "codegen/plan/program/program_memory.h"
#include "codegen/plan/program/slice_copies.h"
#include "codegen/specialise/verify_kernels.h"
#include "dsl/source/text_error.h"
#include "dsl/support/error.h"
#include "dsl/support/number_text.h"
#include "runtime/api/choose_device.h"
#include "runtime/api/jit_gpu.h"
#include "tools/mpfc/load_model.h"
#include "tools/mpfc/memory_bound.h"
#include "tools/mpfc/output.h"
#include "tools/mpfc/plan_queries.h"
#include "tools/mpfc/select_query.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace mpf::driver {

namespace {

/// The planner holds its plans to the bound; a plan or bundle that was made before may need more.
void requireMemory(const std::string &query, uint64_t peakBytes, const Options &options) {
  if (!options.maxMemoryBytes || peakBytes <= *options.maxMemoryBytes)
    return;
  const auto more = options.largerMemory ? options.largerMemory() : std::nullopt;
  const uint64_t bytes = std::max(*options.maxMemoryBytes, more ? more->bytes : 0);
  if (peakBytes > bytes)
    fail(ErrorKind::MemoryBound, "query {} needs {} of memory as it was planned, the bound is {}",
         query, formatBytesExactly(peakBytes), formatBytesExactly(bytes));
}

void requireMemory(const Bundle &bundle, const Options &options) {
  requireMemory(bundle.name, tableBytes(bundle), options);
}

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
Bundle readForeign(const Options &options) {
  Bundle bundle = readBundle(options.input);
  if (options.trust)
    bundle.foreignKernels = false;
  if (!bundle.foreignKernels || options.emitStage)
    return bundle;
  const size_t images = adoptKernels(bundle, options.input);
  if (images != 0 && options.command == "run" && options.device != "cpu")
    say("mpfc: note: {}: its machine code is not used: --trust takes it as it is\n", options.input);
  return bundle;
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

/// --plan: the shape is the plan's, the numbers and the states observed are the model's.
void matchPlan(ReadProgram &plan, const Model &model, const Query &query, bool finalTables,
               const Options &options) {
  if (const std::string mismatch = findMismatch(plan.program, model, query, finalTables);
      !mismatch.empty())
    failAt(ErrorKind::BadInput, plan.place, "this is no plan of {}: {}", options.input, mismatch);
  plan.program.evidence = model.evidence;
}

/// By the plan's name; one that the model does not name is a short form of the plan's kind.
Query queryOfPlan(const Model &model, const ReadProgram &plan, const Options &options) {
  const TableProgram &program = plan.program;
  for (const Query &query : model.queries)
    if (query.name == program.name)
      return query;
  if (program.kind == QueryKind::Expression)
    failAt(ErrorKind::BadInput, plan.place, "this is no plan of {}, which has no query {}",
           options.input, program.name);
  std::vector<VarId> output;
  for (const VarId id : program.outputs.front().scope)
    if (const VarId original = originalOf(program, id); original.index() < model.variables.size())
      output.push_back(original);
  return shortQuery(model, program.kind, output);
}

/// A plan is of the model as it stands, or of the simplified one if the options say so.
Bundle compilePlan(const Model &model, ReadProgram plan, const Options &options,
                   PipelineOptions pipeline) {
  const Query planned = queryOfPlan(model, plan, options);
  pipeline.plan.type = elementTypeOf(planned, options.type);
  pipeline.simplify.type = pipeline.plan.type;
  // Before anything of that size is made; what signs take beside it the bundle knows.
  requireMemory(plan.program.name, planMemory(plan.program, pipeline.plan.type).peakBytes, options);
  if (!pipeline.simplify.finalTables) {
    matchPlan(plan, model, planned, false, options);
    return compileProgram(model, plan.program, pipeline, std::nullopt, ProgramOrigin::Text);
  }
  for (const Query &query : selectQueries(model, options)) {
    if (query.name != plan.program.name)
      continue;
    Simplified simple = simplify(model, query, pipeline.simplify, pipeline.afterSimplify);
    matchPlan(plan, simple.model, simple.query, simple.answer.has_value(), options);
    return compileProgram(simple.model, plan.program, pipeline, std::move(simple.answer),
                          ProgramOrigin::Text);
  }
  fail(ErrorKind::Usage,
       "the plan answers query {}, which is not asked for: choose it with --task, "
       "--query or --query-name",
       plan.program.name);
}

} // namespace

void compileEach(const Options &given, Refusals &refusals,
                 const std::function<void(Bundle)> &take) {
  const auto compiled = [&](const std::string &query, const std::function<Bundle()> &compile) {
    std::optional<Bundle> bundle;
    refusals.attempt(query, [&] { bundle.emplace(compile()); });
    if (bundle)
      take(std::move(*bundle));
  };
  if (given.startStage == Stage::Bundle) {
    Bundle bundle = readForeign(given);
    requireMemory(bundle, given.command == "emit"
                              ? given
                              : withMemoryBound(given, runFacts(bundle, given.threads)));
    refusals.setQueries({bundle.name});
    return take(std::move(bundle));
  }
  const Model model = loadModelOrFail(given);
  const Options options = withMemoryBound(given, model);
  PipelineOptions pipeline;
  pipeline.afterSimplify = simplifyHookFor(options);
  pipeline.simplify = simplifyOptionsFor(options, typeOfPlan(options));
  pipeline.forcedLog = options.forcedLog;
  const double expectedRuns = options.expectedRuns.value_or(SpecialiseOptions{}.expectedRuns);
  if (!options.target.empty())
    pipeline.gpu = gpuNamed(options.target, expectedRuns, autotuneOptionsFor(options));
  else if (options.forRun)
    pipeline.gpu = chooseGpu(options.device, expectedRuns, autotuneOptionsFor(options));
  if (!options.plan.empty()) {
    std::vector<ReadProgram> plans = readPlans(options.plan);
    std::vector<std::string> names;
    for (const ReadProgram &plan : plans)
      names.push_back(plan.program.name);
    refusals.setQueries(std::move(names));
    for (ReadProgram &plan : plans)
      compiled(std::string(plan.program.name), [&] {
        Bundle bundle = compilePlan(model, std::move(plan), options, pipeline);
        requireMemory(bundle, options);
        return bundle;
      });
    return;
  }
  planEach(model, options, refusals, [&](PlannedQuery planned) {
    pipeline.plan.type = planned.type;
    compiled(planned.program.name, [&] {
      return compileProgram(planned.simple.model, planned.program, pipeline,
                            std::move(planned.simple.answer));
    });
  });
}

std::vector<Bundle> compileQueries(const Options &options, Refusals &refusals) {
  std::vector<Bundle> bundles;
  compileEach(options, refusals,
              [&bundles](Bundle bundle) { bundles.push_back(std::move(bundle)); });
  return bundles;
}

} // namespace mpf::driver
