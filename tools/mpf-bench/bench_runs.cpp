#include "tools/mpf-bench/bench_runs.h"

#include "codegen/bundle/bundle.h"
#include "dsl/support/median.h"
#include "runtime/api/mpf.h"
#include "runtime/api/open_executor.h"
#include "runtime/api/place_program.h"
#include "runtime/execute/host/bind_tables.h"
#include "runtime/predict/stored_speed.h"
#include "tools/mpf-bench/measure/clock_seconds.h"

#include <algorithm>
#include <fmt/core.h>

namespace mpf::bench {

namespace {

constexpr unsigned kUntimedRuns = 3; ///< the first set up what the later ones find

Program compileFor(const std::string &model, const RunBenchOptions &options) {
  CompileOptions compile;
  compile.query = options.query;
  compile.type = options.type;
  compile.device = options.device;
  compile.expectedRuns = options.expectedRuns;
  compile.finalTables = compile.finalEvidence = options.simplified;
  if (options.device == "auto") // with kernels for all schedules
    compile.schedule = options.schedules == std::vector<std::string>{"cpu"} ? "cpu" : "gpu";
  return compileFile(model, compile);
}

/// What a schedule is predicted to take, and how it spreads the operations.
struct Placed {
  PlacementChoice choice;
  OperationTimes times;
  double runUs = 0; ///< without what happens once
};

Placed placedBy(const std::string &schedule, const Bundle &bundle, const RunBenchOptions &options) {
  const PlacementMethod method =
      placementMethodNamed(options.device == "auto" ? schedule : options.device);
  const PlacementConditions conditions{options.threads, options.expectedRuns, storedSpeed()};
  Placed placed;
  placed.choice = placeProgram(bundle, method, conditions);
  placed.times = predictOperations(bundle, conditions);
  const bool usesGpu = placed.choice.placement.uses(StepDevice::Gpu);
  placed.runUs = placed.choice.timeUs - (usesGpu ? transferTimes(bundle, conditions).openUs : 0);
  return placed;
}

void bindAll(const std::string &model, const Bundle &bundle, Executor &executor) {
  for (const BundleInput &input : bundle.inputs)
    if (!input.table)
      fail(ErrorKind::Usage, "{}: factor {} has no values to run with", model, input.factor);
  bindTables(bundle, executor);
}

void printProfile(const Bundle &bundle, const Placed &placed, const Executor &executor) {
  for (const OperationProfile &operation : executor.profile()) {
    const bool onCpu = operation.device == StepDevice::Cpu;
    const double predictedUs =
        (onCpu ? placed.times.cpuUs : placed.times.gpuUs)[operation.operation];
    fmt::print("  {:24} {} {:14} {:10.1f} us, predicted {:.1f}\n",
               bundle.operations[operation.operation].name, onCpu ? "cpu" : "gpu", operation.path,
               operation.timeUs, predictedUs);
  }
}

/// Below the session: that would find constant messages computed.
void benchSchedule(const std::string &model, const Bundle &bundle, const std::string &schedule,
                   const RunBenchOptions &options) {
  SessionOptions running;
  running.device = options.device;
  running.schedule = schedule;
  running.threads = options.threads;
  running.expectedRuns = options.expectedRuns;
  const Placed placed = placedBy(schedule, bundle, options);
  const OpenedExecutor opened = openExecutor(bundle, running);
  bindAll(model, bundle, *opened.executor);
  const auto run = [&] { opened.executor->run(opened.schedule.steps, {}); };
  for (unsigned i = 0; i < kUntimedRuns; ++i)
    run();
  std::vector<double> times;
  for (unsigned i = 0; i < options.repeats; ++i) {
    const double before = clockSeconds(false);
    run();
    times.push_back((clockSeconds(false) - before) * 1e6);
  }
  const auto [fastest, slowest] = std::minmax_element(times.begin(), times.end());
  const std::vector<StepDevice> &devices = placed.choice.placement.devices;
  const auto onGpu = std::count(devices.begin(), devices.end(), StepDevice::Gpu);
  const uint32_t supersteps =
      placed.choice.supersteps.empty()
          ? 0
          : *std::max_element(placed.choice.supersteps.begin(), placed.choice.supersteps.end()) + 1;
  fmt::print("{} {} {}{}{}: {} operations, {} on the GPU, {} supersteps, predicted {:.1f} us, "
             "{:.1f} us a run ({:.1f} to {:.1f})\n",
             model, options.type, options.device, options.device == "auto" ? " " : "",
             options.device == "auto" ? schedule : "", bundle.operations.size(), onGpu, supersteps,
             placed.runUs, median(times), *fastest, *slowest);
  if (!options.profile)
    return;
  opened.executor->run(opened.schedule.steps, {true, 0, {}});
  printProfile(bundle, placed, *opened.executor);
}

} // namespace

void benchRuns(const RunBenchOptions &options) {
  for (const std::string &model : options.models) {
    const Program program = compileFor(model, options);
    for (const std::string &schedule : options.schedules)
      benchSchedule(model, program.bundle(), schedule, options);
  }
}

} // namespace mpf::bench
