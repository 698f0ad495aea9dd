#include "tools/mpf-bench/bench_runs.h"

#include "codegen/bundle/bundle.h"
#include "dsl/support/check.h"
#include "runtime/api/session.h"

#include <cstdio>
#include <fmt/core.h>
#include <numeric>
#include <vector>

namespace mpf::bench {

namespace {

void requireValues(const std::string &model, const Bundle &bundle) {
  for (const BundleInput &input : bundle.inputs)
    if (!input.table)
      fail(ErrorKind::Usage, "{}: factor {} has no values to run with", model, input.factor);
}

void printProfile(const Bundle &bundle, const PlacedProgram &placed, const Executor &executor) {
  for (const OperationProfile &operation : executor.profile()) {
    const bool onCpu = operation.device == DeviceId::cpu();
    const double predictedUs = placed.times.us[onCpu ? 0 : 1][operation.operation];
    fmt::print("  {:24} {} {:14} {:10.1f} us, predicted {:.1f}\n",
               bundle.operations[operation.operation].name, onCpu ? "cpu" : "gpu", operation.path,
               operation.timeUs, predictedUs);
  }
}

void benchSchedule(const std::string &model, const Bundle &bundle, const std::string &schedule,
                   const RunBenchOptions &options) {
  requireValues(model, bundle);
  const PlacedProgram placed = placedBy(schedule, bundle, options);
  const OpenedExecutor opened = openFor(bundle, schedule, options);
  const RunTimes times = timeOpened(bundle, opened, placed, options.repeats);
  const std::vector<double> loopRuns = bundle.loopRuns();
  const double slices = std::accumulate(loopRuns.begin() + 1, loopRuns.end(), 0.0);
  const bool isOpen = options.devicesFor(schedule).isOpen();
  fmt::print("{} {} {}{}{}: {} operations, {} slices of loops, {} on the GPU, {} supersteps, "
             "predicted {:.1f} us, {:.1f} us a run ({:.1f} to {:.1f})\n",
             model, options.type, options.device, isOpen ? " " : "", isOpen ? schedule : "",
             bundle.operations.size(), slices, times.onGpu, times.supersteps, times.predictedUs,
             times.medianUs, times.fastestUs, times.slowestUs);
  std::fflush(stdout); // many models take long
  if (!options.profile)
    return;
  opened.executor->run(opened.schedule.steps, {true, 0, {}});
  printProfile(bundle, placed, *opened.executor);
}

} // namespace

void benchRuns(const RunBenchOptions &options) {
  for (const std::string &model : options.models) {
    const Program program = compileForRuns(model, options);
    for (const std::string &schedule : options.schedules)
      benchSchedule(model, program.bundle(), schedule, options);
  }
}

} // namespace mpf::bench
