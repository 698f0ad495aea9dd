#include "runtime/cases/planned_engine.h"

#include "dsl/support/check.h"
#include "runtime/api/choose_device.h"

#include <algorithm>

namespace mpf {

namespace {

/// Of a run: to write and bind the entries that cases set, about, and of its calls.
constexpr double kBindUsPerByte = 0.0005, kLeastRunUs = 1;

} // namespace

CaseLoad loadOf(const CaseProblem &problem) {
  return {problem.rows, problem.settings.compile.expectedRuns.value_or(1)};
}

std::string_view engineName(CaseEngineKind kind) {
  switch (kind) {
  case CaseEngineKind::Lanes:
    return "lanes";
  case CaseEngineKind::GpuLanes:
    return "lanes on the GPU";
  case CaseEngineKind::Tables:
    return "tables";
  case CaseEngineKind::Single:
    return "single runs";
  }
  MPF_UNREACHABLE("engine {}", static_cast<int>(kind));
}

EngineSpeed speedOfRuns(const Bundle &bundle, uint64_t cases, bool onGpu) {
  const RunVolume volume = volumeOfUnbound(bundle);
  const RunEstimate run = estimateRun(volume);
  const double bindUs = kBindUsPerByte * volume.inputBytes;
  const double runUs = onGpu ? run.gpuRunUs + run.gpuUploadUs : run.cpuUs;
  return {1e6 * static_cast<double>(cases) / std::max(bindUs + runUs, kLeastRunUs), cases};
}

EngineFacts factsOfRuns(const CaseProblem &problem, CaseEngineKind kind, const Bundle &bundle,
                        const EngineSpeed &speed) {
  EngineFacts facts;
  facts.name = engineName(kind);
  facts.device = problem.gpu ? problem.gpu->name : "cpu";
  facts.casesAtOnce = speed.casesAtOnce;
  facts.caseBytes = tableBytes(bundle) / speed.casesAtOnce;
  facts.rowsPerSecond = speed.rowsPerSecond;
  return facts;
}

CompileSettings forRunsOf(const CaseProblem &problem, uint64_t cases) {
  CompileSettings settings = problem.settings.compile;
  if (problem.rows && !settings.expectedRuns)
    settings.expectedRuns = static_cast<double>((*problem.rows + cases - 1) / cases);
  return settings;
}

SessionOptions sessionOptionsFor(const CaseSettings &settings, const CompileSettings &compile) {
  SessionOptions session = settings.session;
  session.expectedRuns = compile.expectedRuns.value_or(session.expectedRuns);
  return session;
}

} // namespace mpf
