#include "runtime/engine/planned_engine.h"

#include "codegen/bundle/open_variables.h"
#include "dsl/support/check.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/choose/program_predictor.h"
#include "runtime/predict/place_program.h"
#include "runtime/predict/predict_cpu.h"
#include "runtime/predict/predict_placed.h"
#include "runtime/predict/predict_traceback.h"
#include "runtime/schedule/run_volume.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

namespace mpf {

namespace {

/// Programs whose runs take less than this have no time for shared tables that is worth knowing.
constexpr double kLeastSharedUs = 1e4;

double outputElems(const Bundle &bundle) {
  double elems = 0;
  for (const BundleOutput &output : bundle.outputs)
    elems += static_cast<double>(bundle.buffer(output.buffer).sizeElems);
  return elems;
}

double sumOf(const std::vector<double> &times) {
  return std::accumulate(times.begin(), times.end(), 0.0);
}

/// Returns the entries that the traceback of one case looks up.
double tracedEntries(const Bundle &bundle) {
  const std::vector<std::vector<VarId>> open = openVariables(bundle);
  double entries = 0;
  for (size_t i = 0; i < open.size(); ++i) {
    const BundleTraceback &step = bundle.traceback[i];
    entries += static_cast<double>(step.tables.size()) *
               static_cast<double>(bundle.variables[step.variable.index()].extent) *
               static_cast<double>(jointStates(bundle, open[i]));
  }
  return entries;
}

} // namespace

CaseLoad loadOf(const CaseProblem &problem) {
  return {problem.rows, problem.settings.compile.expectedRuns, problem.sentCodeBits};
}

double programPlanningUs(const CaseProblem &problem) {
  const PlanningRates &rates = problem.speed.engines.planning;
  const double passes = problem.query.kind == QueryKind::Marginals ? rates.marginals : 1;
  return passes *
         (rates.programUs + rates.factorUs * static_cast<double>(problem.model.factors.size()));
}

double leftShare(const CaseProblem &problem, size_t operations) {
  constexpr double kFactorsOfOperation = 2; // diabetes has 1.1, munin1 has 2.6
  const auto factors = static_cast<double>(std::max<size_t>(1, problem.model.factors.size()));
  return std::min(1.0, kFactorsOfOperation * static_cast<double>(operations) / factors);
}

EngineSpeed speedOfRuns(const CaseProblem &problem, const Bundle &bundle, uint64_t cases) {
  const CompileSettings settings = forRunsOf(problem, cases);
  const MachineSpeed &speed = problem.speed;
  const CaseRunRates &rates = speed.engines.runs;
  const UnboundChange change = changeOfUnbound(bundle);
  const PlacedPredictor predictor(bundle, machineOf(speed),
                                  threadCount(problem.settings.session.threads),
                                  settings.expectedRuns.value_or(1));
  const bool onGpu = problem.gpu.has_value();
  const std::vector<double> times =
      onGpu ? predictor.onGpu(change.operations) : predictor.onCpu(change.operations);
  const auto tables = static_cast<double>(change.inputs + bundle.outputs.size());
  const double readElems = outputElems(bundle);
  double runUs = std::accumulate(times.begin(), times.end(),
                                 rates.bindUsPerByte * change.inputBytes + rates.tableUs * tables +
                                     rates.readUsPerElem * readElems);
  const double copiedBytes = change.inputBytes + readElems * elementBytes(bundle.type);
  if (!onGpu) // one case after the other
    runUs += rates.traceUsPerEntry * tracedEntries(bundle) * static_cast<double>(cases);
  else // all side by side
    runUs += gpuTracebackUs(bundle, speed.gpu) + speed.gpu.superstepUs +
             copiedBytes / speed.gpu.copyBytesPerUs +
             speed.gpu.uploadUs * static_cast<double>(std::min<uint64_t>(change.inputs, 1));
  EngineSpeed engine{1e6 * static_cast<double>(cases) / std::max(runUs, rates.leastRunUs), cases};
  if (mostRunUs(bundle) >= kLeastSharedUs) {
    const std::vector<double> all = onGpu ? predictor.onGpu() : predictor.onCpu();
    engine.sharedSeconds = 1e-6 * std::max(0.0, sumOf(all) - sumOf(times));
  }
  if (!onGpu && runsHere(settings))
    engine.sharedSeconds +=
        1e-6 * firstTouchUs(bundle, speed.cpu, threadCount(problem.settings.session.threads));
  return engine;
}

EngineFacts factsOfRuns(const CaseProblem &problem, AnswerForm form, const Bundle &bundle,
                        const EngineSpeed &speed) {
  EngineFacts facts;
  facts.name = traitsOf(form).name;
  facts.device = problem.gpu ? problem.gpu->name : "cpu";
  facts.casesAtOnce = speed.casesAtOnce;
  facts.caseBytes = tableBytes(bundle) / speed.casesAtOnce;
  facts.rowsPerSecond = speed.rowsPerSecond;
  return facts;
}

CompileSettings forRunsOf(const CaseProblem &problem, uint64_t cases) {
  CompileSettings settings = problem.settings.compile;
  if (const CaseLoad load = loadOf(problem); load.isKnown()) {
    settings.expectedRuns = std::ceil(load.cases() / static_cast<double>(cases));
    if (settings.chooser)
      settings.chooser = std::make_shared<ProgramPredictor>(settings);
  }
  return settings;
}

SessionOptions sessionOptionsFor(const CaseSettings &settings, const CompileSettings &compile) {
  SessionOptions session = settings.session;
  session.expectedRuns = compile.expectedRuns.value_or(session.expectedRuns);
  return session;
}

} // namespace mpf
