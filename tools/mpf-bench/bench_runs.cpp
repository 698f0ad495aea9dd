#include "tools/mpf-bench/bench_runs.h"

#include "codegen/bundle/bundle.h"
#include "dsl/support/median.h"
#include "runtime/api/mpf.h"
#include "runtime/api/open_executor.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/schedule/build_schedule.h"
#include "tools/mpf-bench/measure/clock_seconds.h"

#include <algorithm>
#include <fmt/core.h>

namespace mpf::bench {

namespace {

constexpr unsigned kUntimedRuns = 3; ///< the first set up what the later ones find

/// Below the session: that would find constant messages computed.
void benchModel(const std::string &model, const RunBenchOptions &options) {
  CompileOptions compile;
  compile.query = options.query;
  compile.type = options.type;
  compile.device = options.device;
  compile.expectedRuns = options.expectedRuns;
  compile.finalTables = compile.finalEvidence = options.simplified;
  const Program program = compileFile(model, compile);
  const Bundle &bundle = program.bundle();
  SessionOptions running;
  running.device = options.device;
  running.expectedRuns = options.expectedRuns;
  const OpenedExecutor opened = openExecutor(bundle, running);
  for (const BundleInput &input : bundle.inputs) {
    if (!input.table)
      fail(ErrorKind::Usage, "{}: factor {} has no values to run with", model, input.factor);
    opened.executor->setInput(input.buffer, bindInput(bundle, input, *bundle.tables[*input.table],
                                                      bundle.evidence,
                                                      opened.executor->inputMemory(input.buffer)));
  }
  const Schedule schedule = buildSchedule(bundle, opened.device);
  const auto run = [&] { opened.executor->run(schedule.steps, {}); };
  for (unsigned i = 0; i < kUntimedRuns; ++i)
    run();
  std::vector<double> times;
  for (unsigned i = 0; i < options.repeats; ++i) {
    const double before = clockSeconds(false);
    run();
    times.push_back((clockSeconds(false) - before) * 1e6);
  }
  const auto [fastest, slowest] = std::minmax_element(times.begin(), times.end());
  fmt::print("{} {} {}: {} operations, {:.1f} us a run ({:.1f} to {:.1f})\n", model, options.type,
             options.device, bundle.operations.size(), median(times), *fastest, *slowest);
  if (!options.profile)
    return;
  opened.executor->run(schedule.steps, {true, 0, {}});
  for (const OperationProfile &operation : opened.executor->profile())
    fmt::print("  {:24} {:14} {:10.1f} us\n", bundle.operations[operation.operation].name,
               operation.path, operation.timeUs);
}

} // namespace

void benchRuns(const RunBenchOptions &options) {
  for (const std::string &model : options.models)
    benchModel(model, options);
}

} // namespace mpf::bench
