#include "tools/mpf-bench/networks/solve_network.h"

#include "codegen/plan/program/program_statistics.h"
#include "dsl/support/check.h"
#include "dsl/support/median.h"
#include "dsl/support/system/system_text.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/api/session.h"
#include "runtime/choose/answer/choose_answer.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/machine/gpu_backend.h"
#include "runtime/machine/stored_speed.h"
#include "runtime/predict/place_program.h"
#include "runtime/predict/predict_cpu.h"
#include "runtime/session/open_executor.h"
#include "tools/mpf-bench/measure/lap.h"
#include "tools/mpf-bench/networks/compile_network.h"
#include "tools/mpf-bench/networks/network_solvers.h"

#include <algorithm>
#include <charconv>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace mpf::bench {

namespace {

SessionOptions sessionFor(const NetworkTask &task) {
  SessionOptions session;
  const NetworkDevice &on = networkDeviceNamed(task.device);
  session.device = on.devices.devicesWord();
  session.schedule = placementMethodName(on.devices.spread);
  session.hidesCopies = on.hidesCopies;
  session.threads = task.threads;
  if (task.expectedRuns != 0)
    session.expectedRuns = task.expectedRuns;
  return session;
}

/// Returns the bytes of this process that are in memory; 0: the system does not say.
uint64_t residentBytes() {
  const std::string text = systemText("/proc/self/statm"); // pages: all, resident, ...
  const size_t space = text.find(' ');
  uint64_t pages = 0;
  if (space != std::string::npos)
    std::from_chars(text.data() + space + 1, text.data() + text.size(), pages);
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE));
}

void takeAnswer(const Result &result, NetworkRun &run) {
  if (result.kind != QueryKind::Marginals) {
    run.log10Value = result.zeroProbability ? -std::numeric_limits<double>::infinity()
                                            : result.tables.front().at(0).log10();
    return;
  }
  if (result.zeroProbability)
    fail(ErrorKind::BadInput, "the evidence has probability zero: there are no posteriors");
  run.marginals.resize(result.variables.size());
  for (size_t v = 0; v < result.variables.size(); ++v) {
    std::vector<double> &marginal = run.marginals[v];
    marginal.assign(result.variables[v].extent, 0);
    if (const std::optional<uint32_t> state = result.evidence.state(VarId{v})) {
      marginal[*state] = 1;
      continue;
    }
    for (const ResultTable &table : result.tables)
      if (table.normalised && table.variables == std::vector{result.variables[v].name})
        for (size_t i = 0; i < marginal.size(); ++i)
          marginal[i] = table.at(i).value().value_or(0);
  }
}

void answerOnce(const CompiledNetwork &compiled, const NetworkTask &task, NetworkRun &run) {
  const uint64_t before = residentBytes();
  Lap lap;
  Session session(Program(compiled.bundle), sessionFor(task));
  run.seconds.opening = lap.next();
  const Result result = session.run();
  const uint64_t after = residentBytes();
  run.touchedBytes = after - std::min(before, after);
  for (const auto &[phase, seconds] :
       {std::pair{"bind", &PhaseSeconds::binding}, std::pair{"run", &PhaseSeconds::firstRun},
        std::pair{"read", &PhaseSeconds::readout}})
    for (const ResultTiming &timing : result.timings)
      if (timing.phase == phase)
        run.seconds.*seconds = timing.timeUs * 1e-6;
  run.device = result.device;
  takeAnswer(result, run);
}

/// Times later runs; a long run is repeated once, or not at all. It uses an executor without a
/// session, which would not compute results of the run before again.
void runAgain(const CompiledNetwork &compiled, const NetworkTask &task, NetworkRun &run) {
  constexpr double kLongest = 10; // times the seconds that are spent on later runs
  if (run.seconds.firstRun > kLongest * task.repeatSeconds)
    return;
  const bool isLong = run.seconds.firstRun > task.repeatSeconds;
  const Bundle &bundle = *compiled.bundle;
  const OpenedExecutor opened = openExecutor(bundle, sessionFor(task));
  const auto timed = [&](bool withInputs) {
    if (withInputs)
      bindTables(bundle, *opened.executor);
    Lap lap;
    opened.executor->run(opened.schedule.steps, {});
    return lap.next();
  };
  constexpr unsigned kUntimed = 2, kMost = 1000;
  const unsigned least = isLong ? 1 : 3;
  for (unsigned i = 0; i < (isLong ? 0 : kUntimed); ++i)
    timed(true);
  std::vector<double> all, later;
  Lap passed;
  for (double seconds = 0;
       later.size() < least || (later.size() < kMost && seconds < task.repeatSeconds);
       seconds += passed.next()) {
    all.push_back(timed(true));
    later.push_back(timed(false));
  }
  run.seconds.run = median(later);
  run.laterRuns = later.size();
  if (!isLong) // else the run with inputs touched its memory first
    run.seconds.transfer = std::max(0.0, median(all) - run.seconds.run);
}

void solve(const NetworkTask &task, const ProgressHook &progress, NetworkRun &run) {
  Lap lap;
  const Model model = readNetwork(task);
  run.seconds.reading = lap.next();
  const CompiledNetwork compiled = compileNetwork(model, task, run);
  Lap besides;
  addPrediction(compiled, task, run);
  timePasses(model, task, run);
  run.seconds.repeating = besides.next();
  run.status = RunStatus::Planned;
  if (lacksDevice(task)) {
    run.why = gpuBackendUnavailable();
    return;
  }
  progress(run);
  answerOnce(compiled, task, run);
  run.status = RunStatus::Solved;
  progress(run);
  besides.next();
  runAgain(compiled, task, run);
  run.seconds.repeating += besides.next();
}

} // namespace

void addPrediction(const CompiledNetwork &compiled, const NetworkTask &task, NetworkRun &run) {
  const Bundle &bundle = *compiled.bundle;
  run.operations = bundle.operations.size();
  run.log2LargestClique = programStatistics(compiled.program, bundle.type).log2LargestAddressCount;
  const PlacementConditions conditions =
      conditionsHere(task.threads, sessionFor(task).expectedRuns);
  AnswerConditions answer{networkDeviceNamed(task.device).devices, [&] { return conditions; }};
  answer.predictsAll = true;
  const PlacementChoice choice = *chooseAnswer(bundle, answer).schedule;
  const double shareUs = choice.timeline.openUs;
  run.predictedRunUs = choice.timeline.endUs;
  if (choice.placement.uses(DeviceId::cpu()))
    run.predictedTouchUs =
        firstTouchUs(bundle, conditions.machine.cpu(), threadCount(conditions.threads));
  run.predictedOpenUs = shareUs * std::max(1.0, conditions.expectedRuns);
}

NetworkRun solveNetwork(const NetworkTask &task, const ProgressHook &progress) {
  NetworkRun run;
  try {
    solve(task, progress, run);
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::MemoryBound && error.kind() != ErrorKind::Unsupported)
      throw;
    run.status = RunStatus::Refused;
    run.why = error.what();
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  run.peakBytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
  return run;
}

} // namespace mpf::bench
