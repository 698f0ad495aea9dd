#include "runtime/choose/jit_gpu.h"

#include "codegen/emit/emit_cuda.h"
#include "codegen/kernel/print_kernel.h"
#include "codegen/specialise/bundle_kernel.h"
#include "codegen/specialise/flush_l2_kernel.h"
#include "dsl/support/check.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/execute/host/gpu_or_cpu.h"
#include "runtime/machine/gpu_backend.h"
#include "runtime/machine/process_memory.h"
#include "runtime/machine/stored_speed.h"
#include "runtime/predict/place_program.h"

#include <algorithm>

namespace mpf {

bool knowsGpu(const std::string &arch) {
  const std::vector<std::string> known = gpuTargetNames();
  return std::find(known.begin(), known.end(), arch) != known.end();
}

namespace {

/// Returns the settings of the tuner; if `measures`, with the kernel that evicts L2.
TuningSettings settingsOf(const AutotuneOptions &autotune, const Target &target, bool measures) {
  TuningSettings settings;
  settings.forbidCompiling = autotune.forbidCompiling;
  settings.threads = autotune.threads;
  settings.dumpKernels = autotune.dumpKernels;
  if (!measures)
    return settings;
  const KernelPlan flush = flushL2Kernel(target);
  settings.flush = bundleKernel(flush);
  const DigitForm operation = flush.operation();
  const uint64_t entryBytes = elementBytes(flush.header().type);
  settings.flushedBytes = operation.operands.front().sizeElems * entryBytes;
  settings.flushResultBytes = operation.result.sizeElems * entryBytes;
  return settings;
}

/// Returns options for the machine's GPU `target`. If the request is open and the GPU fails while
/// kernels are measured, the cost model's kernels stay, with a note.
SpecialiseOptions specialiseFor(const Target &target, bool isOpen, const KernelRuns &runs,
                                const AutotuneOptions &autotune) {
  SpecialiseOptions options{target, runs.compiling};
  // Measured choices stay in the cache, so planning pays over the same runs as compiling.
  if (!autotune.measures())
    options.planningRuns = runs.planning;
  options.threads = autotune.threads;
  if (autotune.candidates == 0)
    return options;
  options.candidates = autotune.measures() ? *autotune.candidates - 1 : 0;
  options.tuner = [target, isOpen, autotune](Bundle &bundle,
                                             std::span<const TuningCandidates> candidates) {
    const TuningReport report = onGpuOrCpu(
        isOpen,
        [&] {
          return tuneGpuKernels(bundle, candidates,
                                settingsOf(autotune, target, !candidates.empty()));
        },
        [&](const std::string &fault) {
          TuningReport none;
          none.note = fmt::format("autotune: query {} keeps the cost model's kernels, for the GPU "
                                  "failed: {}",
                                  bundle.name, fault);
          return none;
        });
    if (autotune.report)
      autotune.report(report);
  };
  return options;
}

/// Time of an elementary operation of an order, on one thread of a CPU whose kernels do it well. If
/// an order takes longer at this rate than opening a GPU, the GPU usually wins.
constexpr double kLeastUsPerOperation = 3e-4;
/// Lower bound on the time to open any GPU.
constexpr double kLeastOpenUs = 5e4;

/// Returns the numbers of runs over which GPU kernels must pay.
KernelRuns kernelRuns(const CompileSettings &settings) {
  return {settings.expectedRuns.value_or(SpecialiseOptions{}.expectedRuns),
          runsOfProcess(settings)};
}

void requireGpu(const AutotuneOptions &autotune) {
  if (!autotune.measures())
    return; // opening the driver takes longer than many a run
  if (const std::string reason = gpuBackendUnavailable(); !reason.empty())
    fail(ErrorKind::Device, "autotuning measures kernels on a GPU: {}", reason);
}

} // namespace

std::string requiredGpuArch() {
  if (const std::string reason = gpuBackendUnavailable(); !reason.empty())
    fail(ErrorKind::Device, "{}", reason);
  std::string arch = gpuBackendArch();
  if (arch.empty())
    fail(ErrorKind::Device, "the GPU does not say which architecture it has");
  return arch;
}

AnswerConditions answerConditions(const CompileSettings &settings) {
  AnswerConditions conditions;
  conditions.devices = settings.devices;
  // The speed is read from disk, so it is read only if it decides.
  conditions.costs = [threads = settings.threads, runs = runsOfProcess(settings),
                      target = settings.target] {
    PlacementConditions costs = conditionsHere(threads, runs);
    if (!target.empty()) { // another machine's GPU: its kernels count as compiled
      costs.speed.gpu.multiprocessors = targetNamed(target).smCount;
      costs.kernelsUs = 0;
    }
    return costs;
  };
  conditions.hostBytes = hostBytes;
  if (settings.target.empty())
    conditions.hasGpu = mayPlanForGpu;
  return conditions;
}

GpuChoice chooseGpu(const CompileSettings &settings, const AutotuneOptions &autotune) {
  requireGpu(autotune);
  const AnswerConditions conditions = answerConditions(settings);
  return [=, devices = settings.devices, expected = settings.gpuExpected,
          kernelRuns = kernelRuns(settings)](Bundle &bundle) -> std::optional<SpecialiseOptions> {
    if (!chooseAnswer(bundle, conditions).plan.usesGpu()) {
      if (autotune.measures() && autotune.report)
        autotune.report({.note = "autotune: query " + bundle.name + " runs on the CPU"});
      return std::nullopt;
    }
    if (expected)
      expected();
    const std::string arch = onGpuOrCpu(devices.isOpen(), requiredGpuArch, [&](std::string fault) {
      if (devices.prefersGpu() || !gpuBackendFault().empty())
        bundle.gpuFault = std::move(fault);
      return std::string();
    });
    if (arch.empty() || (devices.isAuto() && !knowsGpu(arch)))
      return std::nullopt;
    return specialiseFor(targetNamed(arch), devices.isOpen(), kernelRuns, autotune);
  };
}

PipelineHooks gpuExpectation(const CompileSettings &settings) {
  PipelineHooks hooks;
  if (!settings.gpuExpected || !runsHere(settings) || !settings.target.empty() ||
      !settings.devices.isAuto())
    return hooks;
  const double runs = std::max(1.0, runsOfProcess(settings));
  hooks.ordered = [expected = settings.gpuExpected, runs,
                   threads = threadCount(settings.threads)](const OrdersFound &orders) {
    const double leastUs = runs * orders.operations * kLeastUsPerOperation / threads;
    // The speed is read from disk, so it is read only if it decides.
    if (leastUs > kLeastOpenUs && leastUs > startUs(conditionsHere(threads, runs)))
      expected();
  };
  return hooks;
}

bool mayPlanForGpu() {
  if (!gpuBackendUnavailable().empty())
    return !gpuBackendFault().empty();
  const std::string arch = gpuBackendArch();
  return arch.empty() || knowsGpu(arch);
}

bool plannerKnowsGpu() { return gpuBackendUnavailable().empty() && knowsGpu(gpuBackendArch()); }

GpuChoice gpuNamed(const std::string &arch, const KernelRuns &runs,
                   const AutotuneOptions &autotune) {
  SpecialiseOptions options{targetNamed(arch), runs.compiling, runs.planning};
  options.threads = autotune.threads;
  if (autotune.measures()) {
    requireGpu(autotune);
    if (const std::string here = gpuBackendArch(); here != arch)
      fail(ErrorKind::Device, "autotuning measures on this machine's GPU, which is {} and not {}",
           here, arch);
    options = specialiseFor(options.target, false, runs, autotune);
  }
  return [options](const Bundle &) { return std::optional(options); };
}

GpuChoice gpuChoiceFor(const CompileSettings &settings, const AutotuneOptions &autotune) {
  if (!settings.target.empty())
    return gpuNamed(settings.target, kernelRuns(settings), autotune);
  return runsHere(settings) ? chooseGpu(settings, autotune) : GpuChoice();
}

} // namespace mpf
