// mpfc explain: what a run will do, need and take, without running it: as text, as one HTML page,
// as JSON.
#include "codegen/pipeline.h"
#include "dsl/support/error.h"
#include "dsl/support/files/file_output.h"
#include "runtime/api/gpu_backend.h"
#include "runtime/api/mpf.h"
#include "runtime/api/process_memory.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/explain/explain_query.h"
#include "tools/mpfc/explain/html/print_html.h"
#include "tools/mpfc/explain/print_json.h"
#include "tools/mpfc/explain/print_text.h"
#include "tools/mpfc/load_model.h"
#include "tools/mpfc/memory_bound.h"
#include "tools/mpfc/output.h"
#include "tools/mpfc/plan_queries.h"
#include "tools/mpfc/select_query.h"

#include <algorithm>
#include <filesystem>

namespace mpf::driver {

namespace {

ExplainOptions explainOptionsFor(const Options &options, ElementType type,
                                 const SearchInterrupt &interrupt, DeviceCosts *chains) {
  requireForm(type, options.forcedLog);
  ExplainOptions explain;
  explain.simplify = simplifyOptionsFor(options, type);
  explain.afterSimplify = simplifyHookFor(options);
  explain.plan = planOptionsFor(options, type, interrupt, chains);
  explain.hooks = planHooksFor(options, type);
  explain.forcedLog = options.forcedLog;
  explain.boundBytes = options.maxMemoryBytes;
  explain.boundSource = options.memorySource;
  KernelOptions &kernel = explain.cost.kernel;
  kernel.target = targetNamed(options.target.empty() ? kReferenceTarget : options.target);
  kernel.type = type;
  kernel.valueForm = options.forcedLog ? ValueForm::Log : ValueForm::Linear;
  explain.cost.expectedRuns = options.expectedRuns.value_or(explain.cost.expectedRuns);
  explain.cost.expectedCpuRuns = options.expectedRuns.value_or(SessionOptions{}.expectedRuns);
  explain.cost.device = options.device;
  // Who names a GPU plans for a machine that has it.
  explain.cost.hasGpu = [isNamed = !options.target.empty()] {
    return isNamed || gpuBackendFreeBytes().has_value();
  };
  explain.cost.hostBytes = hostBytes();
  return explain;
}

Explanation explain(const Options &given, Refusals &refusals) {
  const SearchInterrupt interrupt; // counting costs takes no longer than a moment
  Explanation explanation;
  explanation.model = std::filesystem::path(given.input).filename().string();
  if (given.startStage == Stage::Plan) {
    const Options options = withMemoryBound(given, RunFacts{.threads = given.threads});
    const ExplainOptions how = explainOptionsFor(options, typeOfPlan(options), interrupt, nullptr);
    for (const ReadProgram &read : readPlans(options.input))
      explanation.queries.push_back(explainProgram(read.program, how));
    return explanation;
  }
  const Model model = loadModelOrFail(given);
  const Options options = withMemoryBound(given, model);
  const std::vector<Query> queries = selectQueries(model, options);
  refusals.setQueries(namesOf(queries));
  for (const Query &query : queries)
    refusals.attempt(query.name, [&] {
      const ElementType type = elementTypeOf(query, options.type);
      const std::unique_ptr<DeviceCosts> chains = deviceCostsFor(options, type);
      explanation.queries.push_back(
          explainQuery(model, query, explainOptionsFor(options, type, interrupt, chains.get())));
    });
  return explanation;
}

/// The report stands; the exit code says that a run within the bound would be refused.
void addRefused(const Explanation &explanation, Refusals &refusals) {
  for (const QueryExplanation &query : explanation.queries)
    for (const ExplainWarning &warning : query.warnings)
      if (warning.kind == WarningKind::Refused)
        refusals.add(query.query, Error(ErrorKind::MemoryBound, warning.text));
}

} // namespace

int runExplain(const Options &options) {
  Refusals refusals;
  const Explanation explanation = explain(options, refusals);
  if (explanation.queries.empty())
    return refusals.exitCode();
  const bool jsonOnStdout = options.json == "-";
  if (!options.json.empty() && !jsonOnStdout)
    writeFile(options.json, explanationJson(explanation));
  if (!options.html.empty())
    writeFile(options.html, explanationHtml(explanation));
  writeResult(options, jsonOnStdout ? explanationJson(explanation) : explanationText(explanation));
  addRefused(explanation, refusals);
  return refusals.exitCode();
}

} // namespace mpf::driver
