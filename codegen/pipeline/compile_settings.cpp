#include "codegen/pipeline/compile_settings.h"

#include "codegen/specialise/kernel_choice.h"

#include "dsl/support/check.h"
#include "dsl/support/number_text.h"
#include "dsl/support/system/thread_count.h"

#include <algorithm>
#include <limits>

namespace mpf {

namespace {

SimplifyOptions simplifyOptions(const CompileSettings &settings, ElementType type) {
  const Simplification level = simplificationFor(settings);
  SimplifyOptions simplify;
  simplify.finalTables = level != Simplification::Off;
  simplify.finalEvidence = level == Simplification::All;
  simplify.type = type;
  std::copy_if(settings.offPasses.begin(), settings.offPasses.end(),
               std::back_inserter(simplify.offPasses), isSimplifyPass);
  return simplify;
}

PlanOptions planOptions(const CompileSettings &settings, ElementType type) {
  PlanOptions plan;
  plan.order = settings.order;
  plan.seed = settings.seed;
  plan.type = type;
  plan.maxMemoryBytes = settings.maxMemoryBytes.value_or(UINT64_MAX);
  plan.largerBound = settings.largerMemory;
  plan.keep = settings.keep.value_or(settings.purpose == Purpose::OneRun ? KeptMessages::None
                                                                         : KeptMessages::Constant);
  if (settings.runCosts)
    plan.runCosts = settings.runCosts(type);
  if (settings.otherDevice)
    plan.otherDevice = settings.otherDevice(type);
  plan.search.seconds = settings.planSeconds;
  plan.search.rounds = settings.planRounds;
  plan.search.threads = settings.threads;
  // Plans that are printed or used elsewhere do not depend on this machine's cores.
  const unsigned threads = runsHere(settings) ? threadCount(settings.threads) : settings.threads;
  plan.branchesAtOnce = !settings.devices.excludesGpu() || threads != 1;
  if (settings.searchDeadline)
    plan.search.deadline = settings.searchDeadline();
  return plan;
}

/// Returns nothing for a CPU alone, and for a file for which no GPU is named.
std::optional<SpecialiseOptions> deviceCosts(const CompileSettings &settings) {
  const bool isNamed = !settings.target.empty();
  if (!isNamed && (settings.devices.excludesGpu() || settings.purpose == Purpose::Bundle))
    return std::nullopt;
  SpecialiseOptions gpu;
  gpu.target = targetOrReference(settings.target);
  gpu.expectedRuns = settings.expectedRuns.value_or(gpu.expectedRuns);
  gpu.planningRuns = runsOfProcess(settings);
  if (runsHere(settings) && !isNamed && settings.devices.isOpen())
    gpu.hasGpu = settings.machineHasGpu;
  return gpu;
}

} // namespace

double runsOfProcess(const CompileSettings &settings) {
  return settings.expectedRuns.value_or(
      settings.purpose == Purpose::OneRun ? 1 : SpecialiseOptions{}.expectedRuns);
}

Simplification simplificationFor(const CompileSettings &settings) {
  if (settings.simplify)
    return *settings.simplify;
  return settings.purpose == Purpose::OneRun && !settings.planIsGiven ? Simplification::All
                                                                      : Simplification::Off;
}

PipelineOptions pipelineOptionsFor(const CompileSettings &settings, ElementType type) {
  PipelineOptions options;
  options.simplify = simplifyOptions(settings, type);
  options.plan = planOptions(settings, type);
  std::copy_if(settings.offPasses.begin(), settings.offPasses.end(),
               std::back_inserter(options.offPlanPasses),
               [](const std::string &name) { return !isSimplifyPass(name); });
  std::copy_if(settings.runPasses.begin(), settings.runPasses.end(),
               std::back_inserter(options.runSimplifyPasses), isSimplifyPass);
  options.costs = deviceCosts(settings);
  options.predictRun = settings.predictRun;
  options.forcedLog = settings.forcedLog;
  options.gpu = settings.gpu;
  options.laneDevice = laneDeviceOf(settings);
  options.predictList = settings.predictList;
  return options;
}

KernelOptions kernelOptionsFor(const CompileSettings &settings, ElementType type) {
  SpecialiseOptions gpu;
  gpu.target = targetOrReference(settings.target);
  gpu.expectedRuns = settings.expectedRuns.value_or(std::numeric_limits<double>::infinity());
  KernelOptions kernel = kernelOptionsFor(gpu, type, settings.forcedLog);
  kernel.tagDigits = settings.tagDigits;
  kernel.pagesPerBlock = settings.pagesPerBlock;
  kernel.mergeDigits = !settings.tagDigits; // the papers count variables
  return kernel;
}

LaneDevice laneDeviceOf(const CompileSettings &settings) {
  return settings.devices.requiresGpu() ? LaneDevice::Gpu : LaneDevice::Cpu;
}

ElementType typeOfPlan(const CompileSettings &settings) {
  return settings.type.value_or(ElementType::F64);
}

void requireMemory(const std::string &query, uint64_t peakBytes, const CompileSettings &settings) {
  if (!settings.maxMemoryBytes || peakBytes <= *settings.maxMemoryBytes)
    return;
  const auto more = settings.largerMemory ? settings.largerMemory() : std::nullopt;
  const uint64_t bytes = std::max(*settings.maxMemoryBytes, more ? more->bytes : 0);
  if (peakBytes > bytes)
    fail(ErrorKind::MemoryBound, "query {} needs {} of memory as it was planned, the bound is {}{}",
         query, formatBytesExactly(peakBytes), formatBytesExactly(bytes),
         more && !more->fault.empty() ? "; the GPU, which may have more, failed: " + more->fault
                                      : "");
}

} // namespace mpf
