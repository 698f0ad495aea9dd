#include "tools/mpfc/engines/lane_engine.h"

#include "codegen/lanes/build_lane_program.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/api/jit_lanes.h"
#include "runtime/api/process_memory.h"
#include "runtime/execute/lanes/case_runner.h"
#include "runtime/execute/lanes/lane_kernels.h"
#include "tools/mpfc/compile/missing_values.h"
#include "tools/mpfc/compile/plan_lanes.h"
#include "tools/mpfc/compile/session_options.h"
#include "tools/mpfc/explain/facts/lane_engines.h"
#include "tools/mpfc/predict/lane_speed.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace mpf::driver {

namespace {

/// Enough that all threads have several strips of lanes, and that handing on a block costs nothing.
constexpr uint32_t kBestBlockCases = 16384;
/// Several lanes for each thread that a GPU holds, so that the launch and the copies of a block
/// take little of its time; and not many fewer than it holds.
constexpr uint32_t kBestGpuBlockCases = uint32_t{1} << 20, kLeastGpuBlockCases = uint32_t{1} << 17;
/// Two strips for each thread, so that the slowest does not keep all others waiting.
constexpr size_t kStripsOfThread = 2;

/// A program with what runs it.
struct LaneEngine {
  LaneEngine(LaneProgram planned, const CaseRunnerOptions &options)
      : program(std::move(planned)), runner(program, options) {}

  const LaneProgram program;
  CaseRunner runner;
};

/// Cases of a block that lanes are efficient for.
uint32_t bestLaneBlock(const Options &options) {
  return options.device == "gpu" ? kBestGpuBlockCases : kBestBlockCases;
}

/// The memory of lanes on the host, of which a machine has `hostBytes`. `options` have a bound,
/// which is the GPU's where it runs the cases.
uint64_t laneHostBytes(const Options &options, uint64_t hostBytes) {
  return options.device == "gpu" ? hostBytes : options.maxMemoryBytes.value_or(hostBytes);
}

} // namespace

void requireLaneValues(const LaneProgram &program) {
  for (const LaneValues &values : program.values)
    if (!values.values)
      failWithoutValues(values.factor, program.name);
}

CaseEngine makeLaneEngine(LaneProgram program, const Options &options,
                          std::optional<double> tableDrivenSeconds) {
  requireLaneValues(program);
  CaseRunnerOptions runner =
      laneRunnerOptions(program, sessionOptionsFor(options), tableDrivenSeconds);
  runner.maxBytes =
      laneHostBytes(options, runner.maxBytes - std::min(runner.maxBytes, options.streamedBytes));
  const auto engine = std::make_shared<LaneEngine>(std::move(program), runner);
  engine->runner.deviceName(); // takes the memory, or refuses to
  CaseEngine made;
  shapeAnswers(engine->program, 0, made.layout);
  made.answer = [engine](const CaseBlock &block, CaseAnswers &answers) {
    engine->runner.run(block, answers);
  };
  made.bestBlockCases = bestLaneBlock(options);
  const size_t strips = kStripsOfThread * runner.threads;
  made.leastBlockCases =
      options.device == "gpu"
          ? kLeastGpuBlockCases
          : static_cast<uint32_t>(kWideStripBytes / elementBytes(engine->program.type) * strips);
  return made;
}

PlannedEngine planLaneEngine(const CaseProblem &problem) {
  const auto plan = std::make_shared<LanePlan>(
      planLanesOf(problem.model, problem.query, problem.schema, problem.options));
  requireLaneValues(plan->program);
  const size_t threads = threadCount(problem.options.threads);
  PlannedEngine planned;
  planned.speed = laneSpeed(*plan, threads, problem.gpu);
  std::optional<double> seconds;
  if (problem.gpu && problem.rows)
    seconds = tableDrivenSeconds(*plan, *problem.gpu,
                                 static_cast<double>(*problem.rows) *
                                     problem.options.expectedRuns.value_or(1));
  planned.facts = [plan, threads, &options = problem.options, gpu = problem.gpu, seconds] {
    std::vector<EngineFacts> engines =
        laneEngines(*plan, {threads, laneHostBytes(options, hostBytes()), gpu, seconds});
    for (EngineFacts &engine : engines)
      engine.blockCases = bestLaneBlock(options);
    return engines;
  };
  planned.open = [plan, &options = problem.options, seconds] {
    return makeLaneEngine(std::move(plan->program), options, seconds);
  };
  return planned;
}

} // namespace mpf::driver
