#include "tools/mpf-bench/measure/time_runs.h"

#include "dsl/support/median.h"
#include "runtime/choose/answer/choose_answer.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/execute/host/held_states.h"
#include "runtime/machine/stored_speed.h"
#include "tools/mpf-bench/measure/clock_seconds.h"

#include <algorithm>

namespace mpf::bench {

namespace {

constexpr unsigned kUntimedRuns = 3; ///< first runs, which make plans and allocate

} // namespace

DeviceRequest RunBenchOptions::devicesFor(const std::string &schedule) const {
  return deviceRequestOf(device).isOpen() ? deviceRequestOf(device, schedule)
                                          : deviceRequestOf(device);
}

Program compileForRuns(const std::string &model, const RunBenchOptions &options) {
  CompileOptions compile;
  compile.query = options.query;
  compile.type = options.type;
  compile.device = options.device;
  compile.expectedRuns = options.expectedRuns;
  compile.finalTables = compile.finalEvidence = options.simplified;
  if (options.maxMemoryBytes != 0)
    compile.maxMemoryBytes = options.maxMemoryBytes;
  if (deviceRequestOf(options.device).isOpen()) // with kernels for all schedules
    compile.schedule = options.schedules == std::vector<std::string>{"cpu"} ? "cpu" : "gpu";
  return compileFile(model, compile);
}

PlacedProgram placedBy(const std::string &schedule, const Bundle &bundle,
                       const RunBenchOptions &options) {
  const PlacementConditions conditions = conditionsHere(options.threads, options.expectedRuns);
  PlacedProgram placed;
  AnswerConditions answer{options.devicesFor(schedule), [&] { return conditions; }};
  answer.predictsAll = true;
  placed.choice = *chooseAnswer(bundle, answer).schedule;
  placed.times = predictOperations(bundle, conditions);
  placed.runUs = placed.choice.timeline.endUs;
  return placed;
}

OpenedExecutor openFor(const Bundle &bundle, const std::string &schedule,
                       const RunBenchOptions &options) {
  SessionOptions running;
  running.device = options.device;
  running.schedule = schedule;
  running.threads = options.threads;
  running.resident = options.resident;
  running.slicesAtOnce = options.slicesAtOnce;
  running.expectedRuns = options.expectedRuns;
  OpenedExecutor opened = openExecutor(bundle, running);
  bindTables(bundle, *opened.executor);
  return opened;
}

RunTimes timeOpened(const Bundle &bundle, const OpenedExecutor &opened, const PlacedProgram &placed,
                    unsigned repeats) {
  const std::vector<uint32_t> given =
      startsFrom(bundle, statesByVariable(bundle.evidence, bundle.variables.size()));
  const auto run = [&] {
    opened.executor->run(opened.schedule.steps, {});
    if (traitsOf(bundle.kind).decoding)
      opened.executor->decode({given});
  };
  for (unsigned i = 0; i < kUntimedRuns; ++i)
    run();
  std::vector<double> times;
  for (unsigned i = 0; i < repeats; ++i) {
    const double before = clockSeconds(false);
    run();
    times.push_back((clockSeconds(false) - before) * 1e6);
  }
  const auto [fastest, slowest] = std::minmax_element(times.begin(), times.end());
  const std::vector<DeviceId> &devices = placed.choice.placement.devices;
  const std::vector<uint32_t> &supersteps = placed.choice.supersteps;
  RunTimes found;
  found.onGpu = static_cast<size_t>(std::ranges::count_if(devices, &DeviceId::isGpu));
  found.supersteps =
      supersteps.empty() ? 0 : *std::max_element(supersteps.begin(), supersteps.end()) + 1;
  found.predictedUs = placed.runUs;
  found.fastestUs = *fastest;
  found.slowestUs = *slowest;
  found.medianUs = median(times);
  return found;
}

RunTimes timeRuns(const Bundle &bundle, const std::string &schedule,
                  const RunBenchOptions &options) {
  const PlacedProgram placed = placedBy(schedule, bundle, options);
  return timeOpened(bundle, openFor(bundle, schedule, options), placed, options.repeats);
}

} // namespace mpf::bench
