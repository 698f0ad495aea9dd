#include "tools/mpfc/compile/compile_query.h"

#include "tools/mpfc/compile/memory_bound.h"
#include "tools/mpfc/process/output.h"

#include <utility>

namespace mpf::driver {

namespace {

/// Prints what --autotune did; without --autotune it prints only problems.
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

} // namespace

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

Bundle compileQuery(const Model &model, const Query &query, const Options &given) {
  const Options options = withMemoryBound(given, model);
  Refusals refusals;
  QueryPolicy policy = queryPolicyFor(options, refusals, [](const SearchEffort &) {});
  policy.report = {};
  chooseKernels(policy.settings, autotuneOptionsFor(options));
  return compileOne(model, query, std::move(policy));
}

} // namespace mpf::driver
