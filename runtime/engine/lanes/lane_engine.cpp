#include "runtime/engine/lanes/lane_engine.h"

#include "codegen/emit/lane_kernel_choice.h"
#include "codegen/lanes/lane_cost.h"
#include "codegen/predict/lane_speed.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/choose/jit_lanes.h"
#include "runtime/choose/lane_engines.h"
#include "runtime/engine/lanes/lane_model.h"
#include "runtime/engine/missing_values.h"
#include "runtime/engine/plan_case.h"
#include "runtime/execute/lanes/case_runner.h"
#include "runtime/execute/lanes/kernels/lane_kernels.h"
#include "runtime/execute/lanes/runner_memory.h"
#include "runtime/execute/lanes/sent/part_size.h"
#include "runtime/machine/process_memory.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

/// Cases of a block: enough for several strips of lanes on each thread, and for negligible costs of
/// a block.
constexpr uint32_t kBestBlockCases = 16384;
/// Several lanes for each thread that a GPU holds, so that the launch and the copies of a block
/// take little of its time. Blocks of several callers may be as small as one that goes there at
/// once (part_size.h).
constexpr uint32_t kBestGpuBlockCases = uint32_t{1} << 20;
/// Callers that keep a GPU busy: most pack codes and read answers while one waits for it.
constexpr size_t kGpuCallers = 6;
/// Two strips for each worker, so that the slowest does not keep all others waiting.
constexpr size_t kStripsOfWorker = 2;

/// A program and its runner.
struct LaneEngine {
  LaneEngine(std::shared_ptr<const LaneProgram> planned, const CaseRunnerOptions &options)
      : program(std::move(planned)), runner(*program, options) {}

  const std::shared_ptr<const LaneProgram> program;
  CaseRunner runner;
};

/// The device of lanes, and the facts that are known before they are opened.
struct LaneSite {
  CaseSettings settings; ///< settings of a session on this device
  bool onGpu = false;
  double sentBytes = 0;                     ///< bytes of a case, to a GPU and back
  bool mayFail = false;                     ///< whether other engines are there if it fails
  std::optional<double> tableDrivenSeconds; ///< as laneRunnerOptions
  double expectedCases = 0;                 ///< cases over which compiling for the CPU must pay
};

/// Returns the cases of a block for which lanes are efficient.
uint32_t bestLaneBlock(bool onGpu) { return onGpu ? kBestGpuBlockCases : kBestBlockCases; }

bool hasAllValues(const LaneProgram &program) {
  return std::ranges::all_of(program.values,
                             [](const LaneValues &values) { return values.values != nullptr; });
}

/// Returns the host's memory for tables. The bound of the settings is that of their device.
uint64_t hostTablesBytes(const LaneProgram &program, const CaseSettings &settings) {
  if (settings.compile.maxMemoryBytes && !settings.compile.devices.requiresGpu())
    return *settings.compile.maxMemoryBytes;
  RunFacts facts = runFacts(program, settings.session.threads);
  facts.streamedBytes = settings.streamedBytes;
  return tablesBound(memoryLimits(), facts).bytes;
}

CaseEngine openLanes(const std::shared_ptr<const LaneProgram> &program, const LaneSite &site) {
  CaseRunnerOptions runner =
      laneRunnerOptions(site.settings.session, site.onGpu ? DeviceKind::Gpu : DeviceKind::Cpu,
                        site.tableDrivenSeconds, site.settings.casesOnDevice);
  runner.maxBytes = hostTablesBytes(*program, site.settings);
  runner.mayLeaveDevice = site.mayFail;
  runner.own.expectedRuns = site.expectedCases;
  const auto engine = std::make_shared<LaneEngine>(program, runner);
  CaseEngine made;
  if (hasAllValues(*program)) // takes the memory, or refuses to
    made.leastBlockCases = static_cast<uint32_t>(kStripsOfWorker * engine->runner.casesAtOnce());
  if (site.onGpu)
    made.leastBlockCases = std::max(partCases(site.sentBytes), kLeastPartCases);
  shapeAnswers(*program, 0, made.layout);
  made.answer = [engine](const CaseBlock &block, CaseAnswers &answers) {
    engine->runner.run(block, answers);
  };
  if (site.onGpu)
    made.send = [engine](const CaseBlock &block, const ByteRows *rows, CaseAnswers &answers) {
      return engine->runner.send(block, rows, answers);
    };
  made.callers = site.onGpu ? static_cast<unsigned>(std::min(kGpuCallers, runner.threads)) : 1;
  made.bestBlockCases = bestLaneBlock(site.onGpu);
  made.bind = [engine](std::string_view factor, std::span<const double> values) {
    engine->runner.bind(factor, values);
  };
  made.deviceName = [engine] { return engine->runner.deviceName(); };
  made.counts = [engine] { return engine->runner.counts(); };
  made.onDevice = [engine] { return engine->runner.onDevice(); };
  made.deviceFault = [engine] { return engine->runner.deviceFault(); };
  return made;
}

/// Returns the bytes of a case's codes on their way to a GPU: those of its row if the host does not
/// read it, otherwise those of packed words.
double sentCodeBytes(const CaseSchema &schema, const CaseLoad &load) {
  constexpr size_t kWordBytes = sizeof(uint32_t);
  const size_t codes = schema.observed.size();
  if (load.sentCodeBits)
    return static_cast<double>(codes * *load.sentCodeBits) / 8;
  const size_t words = (codes * codeBytesFor(schema) + kWordBytes - 1) / kWordBytes;
  return static_cast<double>(words * kWordBytes);
}

/// Returns the bytes of a case on its way to a GPU and back.
double sentBytesOf(const LaneProgram &program, double codeBytes) {
  const double entries = static_cast<double>(program.schema.weightCount()) + answerElems(program);
  return codeBytes + entries * static_cast<double>(elementBytes(program.type));
}

/// Returns `speed` with the time of starting a GPU.
EngineSpeed withStart(EngineSpeed speed, const GpuSpeed &gpu) {
  speed.startSeconds += 1e-6 * gpu.openUs;
  return speed;
}

} // namespace

PlannedEngine planLaneEngine(const CaseProblem &problem) {
  const auto plan = std::make_shared<const LanePlan>(planLanesFor(problem));
  const CaseSettings &settings = problem.settings;
  const CaseLoad load = loadOf(problem);
  const MachineSpeed &speed = problem.speed;
  const std::optional<Target> &gpu = problem.gpu;
  if (!settings.mayBind)
    requireLaneValues(plan->program);
  LaneSite site;
  site.onGpu = gpu.has_value();
  site.expectedCases = load.cases();
  site.mayFail = site.onGpu && !settings.compile.devices.requiresGpu();
  if (gpu && load.isKnown())
    site.tableDrivenSeconds = tableDrivenSeconds(*plan, speed.engines.gpuLanes, *gpu, load.cases());
  const size_t threads = threadCount(settings.session.threads);
  const double codeBytes = site.onGpu ? sentCodeBytes(plan->program.schema, load) : 0;
  site.sentBytes = sentBytesOf(plan->program, codeBytes);
  PlannedEngine planned;
  planned.leftShare = leftShare(problem, plan->operations);
  planned.speed = laneSpeed(*plan, speed.engines, threads, gpu, site.tableDrivenSeconds);
  planned.speed.sharedSeconds = laneSharedSeconds(plan->program, speed.engines.cpuLanes);
  if (site.onGpu)
    planned.speed.copySecondsPerRow = 1e-6 * site.sentBytes / speed.gpu.copyBytesPerUs;
  if (site.mayFail) {
    planned.speed = withStart(planned.speed, speed.gpu);
    // Tables that exceed the host's memory are no fault of the GPU, so they refuse before it is
    // opened.
    divideRunnerMemory(plan->program, threads, hostTablesBytes(plan->program, settings));
  }
  const uint64_t host = hostBytes();
  const uint64_t facts = settings.compile.devices.requiresGpu()
                             ? host
                             : settings.compile.maxMemoryBytes.value_or(host);
  planned.facts = [plan, threads, facts, gpu, rates = speed.engines, site, codeBytes] {
    std::vector<EngineFacts> engines = laneEngines(
        *plan, {threads, facts, gpu, site.tableDrivenSeconds, rates, site.expectedCases});
    for (EngineFacts &engine : engines) {
      engine.blockCases = bestLaneBlock(site.onGpu);
      engine.sentCodeBytes = codeBytes;
    }
    return engines;
  };
  site.settings = settings;
  planned.open = [plan, site = std::move(site)] { return openLanes({plan, &plan->program}, site); };
  return planned;
}

std::string_view laneRefusal(const CaseSettings &settings) {
  if (settings.lanes && !settings.lanes->device)
    return ""; // a loaded program has no other engine
  return settings.compile.forcedLog || settings.session.verifySamples != 0
             ? "lanes compute neither in logarithms throughout nor entries a second time: tables do"
             : "";
}

void requireLaneValues(const LaneProgram &program) {
  for (const LaneValues &values : program.values)
    if (!values.values)
      failWithoutValues(values.factor, program.name);
}

CompileSettings laneSettingsFor(const CaseProblem &problem) {
  CompileSettings compile = forRunsOf(problem, 1); // each case pays for itself
  if (problem.gpu && !compile.devices.requiresGpu())
    compile.devices = DeviceRequest::gpu();
  // The plan that is printed must be the one that this machine would run.
  const unsigned threads = compile.purpose == Purpose::Bundle ? 1 : coreCount();
  if (compile.expectedRuns)
    compile.laneLoad = {*compile.expectedRuns, problem.speed.engines, threads, problem.gpu};
  return compile;
}

LanePlan planLanesFor(const CaseProblem &problem) {
  return planCaseLanes(problem.settings, problem.model, problem.query, problem.schema,
                       laneSettingsFor(problem));
}

} // namespace mpf
