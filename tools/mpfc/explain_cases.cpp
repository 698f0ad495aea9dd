#include "tools/mpfc/explain_cases.h"

#include "dsl/support/check.h"
#include "dsl/support/error.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/api/choose_device.h"
#include "runtime/api/process_memory.h"
#include "tools/mpfc/cases/first_engine.h"
#include "tools/mpfc/compile/plan_lanes.h"
#include "tools/mpfc/engines/choose_engine.h"
#include "tools/mpfc/engines/lane_engine.h"
#include "tools/mpfc/engines/single_engine.h"
#include "tools/mpfc/engines/table_engine.h"
#include "tools/mpfc/explain/facts/lane_engines.h"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <utility>

namespace mpf::driver {

namespace {

/// What is asked, of whom.
struct CaseProblem {
  const Model &model;
  const CaseSchema &schema;
  const Query &query;
  const Options &options;
  const Target &gpu;

  bool onGpu() const { return options.device == "gpu"; }
};

/// Of a run: to write and bind the entries that cases set, about, and of its calls.
constexpr double kBindUsPerByte = 0.0005, kLeastRunUs = 1;

std::vector<EngineFacts> explainLanes(const CaseProblem &problem) {
  const LanePlan plan = planLanesOf(problem.model, problem.query, problem.schema, problem.options);
  requireLaneValues(plan.program);
  LaneSetting setting;
  setting.threads = threadCount(problem.options.threads);
  setting.maxBytes = laneHostBytes(problem.options, hostBytes());
  if (problem.onGpu())
    setting.gpu = problem.gpu;
  std::vector<EngineFacts> engines = laneEngines(plan, setting);
  for (EngineFacts &engine : engines)
    engine.blockCases = bestLaneBlock(problem.options);
  return engines;
}

/// By runs of a program that answers `cases` at a time.
EngineFacts byRuns(const CaseProblem &problem, CaseEngineKind kind, const Bundle &bundle,
                   uint64_t cases) {
  EngineFacts facts;
  facts.name = engineName(kind);
  facts.device = problem.onGpu() ? problem.gpu.name : "cpu";
  facts.casesAtOnce = cases;
  facts.caseBytes = tableBytes(bundle) / cases;
  const RunVolume volume = volumeOfUnbound(bundle);
  const RunEstimate run = estimateRun(volume);
  const double bindUs = kBindUsPerByte * volume.inputBytes;
  const double runUs = problem.onGpu() ? run.gpuRunUs + run.gpuUploadUs : run.cpuUs;
  facts.rowsPerSecond = 1e6 * static_cast<double>(cases) / std::max(bindUs + runUs, kLeastRunUs);
  return facts;
}

std::vector<EngineFacts> explainTables(const CaseProblem &problem) {
  const CaseTables tables =
      compileCaseTables(problem.model, problem.schema, problem.query, problem.options);
  EngineFacts facts = byRuns(problem, CaseEngineKind::Tables, tables.bundle, tables.runCases);
  facts.atOnce = "states of a case variable, in one run";
  facts.blockCases = bestTableBlock(tables.runCases);
  facts.why = "asked where lanes refuse";
  return {facts};
}

std::vector<EngineFacts> explainSingle(const CaseProblem &problem) {
  const Bundle bundle =
      compileSingleCase(problem.model, problem.schema, problem.query, problem.options);
  EngineFacts facts = byRuns(problem, CaseEngineKind::Single, bundle, 1);
  facts.atOnce = "one run after the other";
  facts.blockCases = kSingleBlockCases;
  facts.why = "asked where all others refuse";
  return {facts};
}

std::vector<EngineFacts> explainEngine(const CaseProblem &problem, CaseEngineKind kind) {
  switch (kind) {
  case CaseEngineKind::Lanes:
    return explainLanes(problem);
  case CaseEngineKind::Tables:
    return explainTables(problem);
  case CaseEngineKind::Single:
    return explainSingle(problem);
  }
  MPF_UNREACHABLE("engine {}", static_cast<int>(kind));
}

/// Without the line of the text with its caret, which only a terminal can show.
EngineFacts refusedFor(CaseEngineKind kind, const Error &error) {
  const std::string why = error.what();
  EngineFacts facts;
  facts.name = engineName(kind);
  facts.refused = true;
  facts.why = why.substr(0, why.find('\n'));
  return facts;
}

/// How an engine that a run does not take compares with the one that it takes.
void compare(const EngineFacts &chosen, EngineFacts &other) {
  if (other.chosen || other.refused || other.rowsPerSecond <= 0 || chosen.rowsPerSecond <= 0)
    return;
  const double ratio = chosen.rowsPerSecond / other.rowsPerSecond;
  other.why += ratio >= 1 ? fmt::format("; predicted {:.3g} times slower", ratio)
                          : fmt::format("; predicted {:.3g} times as fast", 1 / ratio);
}

} // namespace

CaseFacts explainCases(const CaseList &list, const Query &query, const Options &options,
                       const Target &gpu) {
  const CaseSchema &schema = list.source->schema();
  const CaseProblem problem{list.single, schema, query, options, gpu};
  CaseFacts facts;
  std::vector<EngineAttempt> attempts;
  for (const CaseEngineKind kind : enginesFor(options)) {
    std::exception_ptr refusal;
    try {
      std::ranges::move(explainEngine(problem, kind), std::back_inserter(facts.engines));
    } catch (const Error &error) {
      if (!isRefusal(error))
        throw;
      facts.engines.push_back(refusedFor(kind, error));
      refusal = std::current_exception();
    }
    attempts.emplace_back([refusal]() -> CaseEngine {
      if (refusal)
        std::rethrow_exception(refusal);
      return {};
    });
  }
  firstEngine(attempts); // throws where all refuse
  const auto chosen = std::ranges::find(facts.engines, false, &EngineFacts::refused);
  chosen->chosen = true;
  for (EngineFacts &engine : facts.engines)
    compare(*chosen, engine);
  facts.source = list.source->name();
  facts.rows = list.source->caseCount();
  facts.observed = schema.observed.size();
  facts.likelihoods = schema.likelihoods.size();
  facts.params = schema.params.size();
  facts.tables = schema.tables.size();
  return facts;
}

} // namespace mpf::driver
