#include "codegen/pipeline/compile_settings.h"

#include "codegen/predict/device_run_costs.h"
#include "codegen/specialise/kernel_choice.h"

#include "dsl/support/check.h"
#include "dsl/support/number_text.h"
#include "dsl/support/system/thread_count.h"

#include <algorithm>
#include <limits>

namespace mpf {

namespace {

double expectedRunsOf(const CompileSettings &settings) {
  return std::max(1.0, settings.expectedRuns.value_or(1));
}

unsigned planningThreads(const CompileSettings &settings) {
  return runsHere(settings) ? coreCount() : 1;
}

/// Whether the planner knows a GPU that is present.
bool isPlannable(const Device *gpu) {
  return gpu != nullptr && gpu->state == DeviceState::Present && knowsGpu(gpu->target);
}

/// Returns none if the bound is one that no other device replaces.
std::function<std::optional<MemoryBound>()> largerBound(const CompileSettings &settings) {
  if (!settings.boundIsOfHost || !settings.devices.isOpen() || !settings.machine)
    return {};
  return [machine = settings.machine]() -> std::optional<MemoryBound> {
    const std::shared_ptr<const Machine> known = machine->known(MachineDetail::Memory);
    const Device *gpu = known->first(DeviceKind::Gpu);
    if (gpu != nullptr && gpu->state == DeviceState::Faulty)
      return MemoryBound{0, "", gpu->fault};
    if (!isPlannable(gpu) || !gpu->tableBytes)
      return std::nullopt;
    return MemoryBound{*gpu->tableBytes, std::string(kGpuMemorySource), ""};
  };
}

RunCosts costsOn(const CompileSettings &settings, const Device &device, ElementType type,
                 unsigned threads) {
  RunCosts costs = deviceRunCosts(device, {type, settings.forcedLog}, threads);
  costs.expectedRuns = expectedRunsOf(settings);
  if (!runsHere(settings))
    costs.memory = {}; // no machine is known whose memory has this price
  return costs;
}

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
  plan.largerBound = largerBound(settings);
  plan.keep = settings.keep.value_or(settings.purpose == Purpose::OneRun ? KeptMessages::None
                                                                         : KeptMessages::Constant);
  plan.runCosts = runCostsFor(settings, type);
  plan.otherDevice = otherDeviceFor(settings, type);
  plan.search.seconds = settings.planSeconds;
  plan.search.rounds = settings.planRounds;
  plan.search.threads = settings.threads;
  // Plans that are printed or used elsewhere do not depend on this machine's cores.
  const unsigned threads = runsHere(settings) ? threadCount(settings.threads) : settings.threads;
  plan.branchesAtOnce = !settings.devices.excludesGpu() || threads != 1;
  plan.slicesAtOnce = settings.devices.requiresGpu() ? 1 : std::max(threads, 1U);
  plan.search.deadline = settings.searchTime.deadline();
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
    gpu.hasGpu = gpuSearch(settings);
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
  options.forcedLog = settings.forcedLog;
  options.gpu = settings.gpu;
  options.chooser = settings.chooser;
  options.laneDevice = laneDeviceOf(settings);
  options.laneLoad = settings.laneLoad;
  return options;
}

RunCosts runCostsOn(const CompileSettings &settings, ElementType type, unsigned threads) {
  if (!settings.machine)
    return {};
  const std::shared_ptr<const Machine> machine = settings.machine->known(MachineDetail::Speeds);
  const Device *gpu = settings.devices.requiresGpu() ? machine->first(DeviceKind::Gpu) : nullptr;
  return costsOn(settings, gpu != nullptr ? *gpu : machine->devices.front(), type, threads);
}

RunCosts runCostsFor(const CompileSettings &settings, ElementType type) {
  return runCostsOn(settings, type, planningThreads(settings));
}

OtherDevice otherDeviceFor(const CompileSettings &settings, ElementType type) {
  if (!mayPlaceOnGpu(settings) || !settings.machine || !settings.devices.isAuto())
    return {};
  const std::shared_ptr<const Machine> machine = settings.machine->known(MachineDetail::Speeds);
  const Device *gpu = machine->first(DeviceKind::Gpu);
  if (gpu == nullptr)
    return {};
  const RunCosts costs = costsOn(settings, *gpu, type, planningThreads(settings));
  return {gpu->openUs, [costs, hasGpu = gpuSearch(settings)] {
            return hasGpu() ? std::optional(costs) : std::nullopt;
          }};
}

bool mayPlaceOnGpu(const CompileSettings &settings) {
  return settings.devices.isOpen() &&
         (!settings.target.empty() || (runsHere(settings) && settings.machine));
}

std::function<bool()> gpuSearch(const CompileSettings &settings) {
  if (!settings.target.empty())
    return [] { return true; };
  if (!settings.machine)
    return {};
  return [machine = settings.machine] {
    return isPlannable(machine->known(MachineDetail::Devices)->first(DeviceKind::Gpu));
  };
}

std::optional<MemoryBound> largerMemory(const CompileSettings &settings) {
  const std::function<std::optional<MemoryBound>()> ask = largerBound(settings);
  return ask ? ask() : std::nullopt;
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

DeviceKind laneDeviceOf(const CompileSettings &settings) {
  return settings.devices.requiresGpu() ? DeviceKind::Gpu : DeviceKind::Cpu;
}

ElementType typeOfPlan(const CompileSettings &settings) {
  return settings.type.value_or(ElementType::F64);
}

void requireMemory(const std::string &query, uint64_t peakBytes, const CompileSettings &settings) {
  if (!settings.maxMemoryBytes || peakBytes <= *settings.maxMemoryBytes)
    return;
  const std::optional<MemoryBound> more = largerMemory(settings);
  const uint64_t bytes = std::max(*settings.maxMemoryBytes, more ? more->bytes : 0);
  if (peakBytes > bytes)
    fail(ErrorKind::MemoryBound, "query {} needs {} of memory as it was planned, the bound is {}{}",
         query, formatBytesExactly(peakBytes), formatBytesExactly(bytes),
         more && !more->fault.empty() ? "; the GPU, which may have more, failed: " + more->fault
                                      : "");
}

} // namespace mpf
