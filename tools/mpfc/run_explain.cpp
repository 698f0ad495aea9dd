// mpfc explain: predicts what a run does and how much memory and time it takes, without running it.
// It writes text, one HTML page, or JSON.
#include "codegen/pipeline/compile_settings.h"
#include "codegen/pipeline/joint_queries.h"
#include "dsl/support/error.h"
#include "dsl/support/files/file_output.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/api/session.h"
#include "runtime/execute/host/gpu_or_cpu.h"
#include "runtime/machine/gpu_backend.h"
#include "runtime/machine/machine_identity.h"
#include "runtime/machine/process_memory.h"
#include "runtime/machine/stored_speed.h"
#include "runtime/predict/missing_kernels.h"
#include "tools/mpfc/cases/case_list.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/compile/joined_queries.h"
#include "tools/mpfc/compile/load_model.h"
#include "tools/mpfc/compile/memory_bound.h"
#include "tools/mpfc/compile/plan_queries.h"
#include "tools/mpfc/compile/query_policy.h"
#include "tools/mpfc/compile/select_query.h"
#include "tools/mpfc/explain/explain_query.h"
#include "tools/mpfc/explain/html/print_html.h"
#include "tools/mpfc/explain/print_json.h"
#include "tools/mpfc/explain/print_text.h"
#include "tools/mpfc/explain_cases.h"
#include "tools/mpfc/options/check_options.h"
#include "tools/mpfc/process/attempts.h"
#include "tools/mpfc/process/output.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace mpf::driver {

namespace {

ExplainOptions explainOptionsFor(const Options &options, ElementType type) {
  requireForm(type, options.forcedLog);
  ExplainOptions explain;
  explain.pipeline = pipelineOptionsFor(options, type);
  explain.boundBytes = options.maxMemoryBytes;
  explain.boundSource = options.memorySource;
  explain.cost.kernel = kernelOptionsFor(options, type);
  explain.cost.expectedRuns = options.expectedRuns.value_or(explain.cost.expectedRuns);
  explain.cost.planningRuns = runsOfProcess(options);
  explain.cost.expectedCpuRuns = options.expectedRuns.value_or(SessionOptions{}.expectedRuns);
  explain.cost.devices = options.devices;
  explain.cost.threads = options.threads;
  KnownSpeed known = knownSpeed();
  explain.cost.speedOrigin = known.origin;
  explain.cost.speed = std::move(known.speed);
  explain.cost.search = runCostsOn(options, type, threadCount(options.threads));
  // With --target, the plan is for a machine that has that GPU.
  explain.cost.hasGpu = [isNamed = !options.target.empty(), isOpen = options.devices.isOpen(),
                         gpu = options.devices.gpuNumber()] {
    return isNamed || onGpuOrCpu(
                          isOpen, [&] { return gpuBackendFreeBytes(gpu).has_value(); },
                          [](const std::string &) { return false; });
  };
  // With --target, the kernels that run any model count as compiled. Only --device gpu opens the
  // driver to look for this machine's GPU: that takes longer than many a run.
  if (options.target.empty() && !options.devices.excludesGpu() &&
      (options.devices.requiresGpu() ? explain.cost.hasGpu() : driverMayFindGpu()))
    explain.cost.tableKernelsUs = missingKernelsUs();
  explain.cost.hostBytes = hostBytes();
  explain.asksGpu = !options.target.empty() || options.devices.requiresGpu() ||
                    (options.devices.isOpen() && driverMayFindGpu());
  return explain;
}

void explainPlans(const Options &options, Explanation &explanation) {
  const ExplainOptions how = explainOptionsFor(options, typeOfPlan(options));
  for (const ReadProgram &read : readPlans(options.input))
    explanation.queries.push_back(explainProgram(read.program, how));
}

void explainModel(const Model &model, const Options &options, Refusals &refusals,
                  Explanation &explanation) {
  const std::vector<Query> queries = selectQueries(model, options);
  refusals.setQueries(namesOf(queries));
  const QueryPolicy policy = queryPolicyFor(options, refusals);
  const auto stop = policy.stop(); // counting costs takes no longer than a moment
  const auto optionsOf = [&](const Query &query) {
    ExplainOptions how = explainOptionsFor(options, elementTypeOf(query, options.type));
    how.pipeline.hooks = policy.hooks;
    how.pipeline.plan.search.stop = stop.get();
    return how;
  };
  const auto join = [&](const Query &query, const JoiningPays &pays) {
    std::optional<QueryExplanation> found;
    refusalOf(query.name, [&] { found = explainJoined(model, query, optionsOf(query), pays); });
    if (found)
      explanation.queries.push_back(std::move(*found));
    return found.has_value();
  };
  joinWhereItPays(model, queries, policy, join, [&](const Query &query) {
    policy.refusals.attempt(query.name, [&] {
      explanation.queries.push_back(explainQuery(model, query, optionsOf(query)));
    });
  });
}

/// Explains the queries of a model that has many cases.
void explainCaseList(const Model &model, const Options &options, Refusals &refusals,
                     Explanation &explanation) {
  const std::vector<Query> queries = selectQueries(model, options);
  refusals.setQueries(namesOf(queries));
  const CaseList list = caseListOf(model, queries, options);
  attemptJoined(joinedForList(list, queries, options), refusals, [&](const Query &query) {
    const ExplainOptions how = explainOptionsFor(options, elementTypeOf(query, options.type));
    explanation.queries.push_back(explainQuery(
        list.single, query, how, explainCases(list, query, options, how.cost.kernel.target)));
  });
}

Explanation explain(const Options &given, Refusals &refusals) {
  lookOnce();
  Explanation explanation;
  explanation.model = std::filesystem::path(given.input).filename().string();
  if (given.startStage == Stage::Plan) {
    explainPlans(withMemoryBound(given, RunFacts{.threads = given.threads}), explanation);
    return explanation;
  }
  const Model model = loadModelOrFail(given, &refusals);
  if (hasManyCases(model))
    explainCaseList(model, withMemoryBound(withStreamMemory(given), model), refusals, explanation);
  else
    explainModel(model, withMemoryBound(given, model), refusals, explanation);
  return explanation;
}

/// Sets the exit code if a run within the memory bound would be refused; the report is complete.
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
  if (options.html == "-")
    fail(ErrorKind::Usage, "--format html is for a file: add -o FILE");
  if (!options.html.empty())
    writeFile(options.html, explanationHtml(explanation));
  if (!isGiven(options, "-o") ||
      !options.output.empty()) // the file of -o takes the place of stdout
    writeResult(options,
                jsonOnStdout ? explanationJson(explanation) : explanationText(explanation));
  addRefused(explanation, refusals);
  noteUnusedEntry();
  return refusals.exitCode();
}

} // namespace mpf::driver
