#include "tools/mpfc/compile_queries.h"

#include "codegen/bundle/read_bundle.h"
#include "codegen/pipeline.h"
#include "dsl/support/error.h"
#include "runtime/api/jit_gpu.h"
#include "tools/mpfc/load_model.h"
#include "tools/mpfc/output.h"
#include "tools/mpfc/plan_queries.h"
#include "tools/mpfc/select_query.h"

namespace mpf::driver {

std::vector<Bundle> compileQueries(const Options &options) {
  std::vector<Bundle> bundles;
  if (options.startStage == Stage::Bundle || options.input.ends_with(".mpfb")) {
    if (!options.plan.empty() || options.evidence || options.task || !options.queryName.empty())
      fail(ErrorKind::Usage, "{}: a bundle's evidence and query were fixed when it was built",
           options.input);
    bundles.push_back(readBundle(options.input));
    return bundles;
  }
  const Model model = loadModelOrFail(options);
  PipelineOptions pipeline;
  pipeline.plan = planOptionsFor(options);
  pipeline.hooks = planHooksFor(options);
  pipeline.forcedLog = options.forcedLog;
  const double expectedRuns = options.expectedRuns.value_or(SpecialiseOptions{}.expectedRuns);
  if (!options.target.empty())
    pipeline.gpu = gpuNamed(options.target, expectedRuns);
  else if (options.forRun)
    pipeline.gpu = chooseGpu(options.device, expectedRuns);
  if (!options.plan.empty()) {
    bundles.push_back(compileProgram(model, readPlan(options.plan), pipeline));
    return bundles;
  }
  for (const Query &query : selectQueries(model, options)) {
    Diagnostics diagnostics;
    bundles.push_back(compileQuery(model, query, pipeline, diagnostics));
    printDiagnostics(diagnostics);
  }
  return bundles;
}

} // namespace mpf::driver
