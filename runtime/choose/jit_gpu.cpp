#include "runtime/choose/jit_gpu.h"

#include "codegen/emit/emit_cuda.h"
#include "codegen/kernel/print_kernel.h"
#include "codegen/specialise/bundle_kernel.h"
#include "codegen/specialise/flush_l2_kernel.h"
#include "dsl/support/check.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/choose/program_predictor.h"
#include "runtime/choose/this_machine.h"
#include "runtime/execute/host/gpu_or_cpu.h"
#include "runtime/machine/gpu_backend.h"
#include "runtime/machine/process_memory.h"
#include "runtime/machine/stored_speed.h"
#include "runtime/predict/place_program.h"

#include <algorithm>
#include <memory>

namespace mpf {

namespace {

/// Returns the settings of the tuner; if `measures`, with the kernel that evicts L2.
TuningSettings settingsOf(const AutotuneOptions &autotune, const Target &target, bool measures) {
  TuningSettings settings;
  settings.gpu = autotune.gpu;
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
  if (const std::string reason = gpuBackendUnavailable(autotune.gpu); !reason.empty())
    fail(ErrorKind::Device, "autotuning measures kernels on a GPU: {}", reason);
}

} // namespace

std::string requiredGpuArch(uint32_t gpu) {
  if (const std::string reason = gpuBackendUnavailable(gpu); !reason.empty())
    fail(ErrorKind::Device, "{}", reason);
  std::string arch = gpuBackendArch(gpu);
  if (arch.empty())
    fail(ErrorKind::Device, "the GPU does not say which architecture it has");
  return arch;
}

AnswerConditions answerConditions(const CompileSettings &settings) {
  AnswerConditions conditions;
  conditions.devices = settings.devices;
  const std::shared_ptr<KnownMachine> given =
      settings.givenMachine ? thisMachine(settings) : nullptr;
  // The speed is read from disk, so it is read only if it decides.
  conditions.costs = [threads = settings.threads, runs = runsOfProcess(settings),
                      target = settings.target, given] {
    PlacementConditions costs =
        given ? conditionsOn(*given, threads, runs) : conditionsHere(threads, runs);
    if (!target.empty()) { // another machine's GPU: its kernels count as compiled
      setMultiprocessors(costs.machine, targetNamed(target).smCount);
      costs.kernelsUs = 0;
    }
    return costs;
  };
  conditions.hostBytes = hostBytes;
  if (!settings.target.empty())
    return conditions;
  conditions.hasGpu = mayPlanForGpu;
  if (given) {
    CompileSettings there = settings;
    there.machine = given;
    conditions.hasGpu = gpuSearch(there);
  }
  return conditions;
}

namespace {

/// Chooses this machine's GPU for bundles whose answer uses it.
class KernelChooser final : public ProgramPredictor {
public:
  KernelChooser(const CompileSettings &settings, const AutotuneOptions &autotune)
      : ProgramPredictor(settings), devices_(settings.devices), expected_(settings.gpuExpected),
        runs_(kernelRuns(settings)), conditions_(answerConditions(settings)), autotune_(autotune) {}

  std::optional<SpecialiseOptions> gpuFor(Bundle &bundle) const override {
    if (!chooseAnswer(bundle, conditions_).plan.usesGpu()) {
      if (autotune_.measures() && autotune_.report)
        autotune_.report({.note = "autotune: query " + bundle.name + " runs on the CPU"});
      return std::nullopt;
    }
    if (expected_)
      expected_();
    const auto ask = [this] { return requiredGpuArch(devices_.gpuNumber()); };
    const std::string arch = onGpuOrCpu(devices_.isOpen(), ask, [&](std::string fault) {
      if (devices_.prefersGpu() || !gpuBackendFault().empty())
        bundle.gpuFault = std::move(fault);
      return std::string();
    });
    if (arch.empty() || (devices_.isAuto() && !knowsGpu(arch)))
      return std::nullopt;
    return specialiseFor(targetNamed(arch), devices_.isOpen(), runs_, autotune_);
  }

private:
  const DeviceRequest devices_;
  const std::function<void()> expected_; ///< CompileSettings::gpuExpected
  const KernelRuns runs_;
  const AnswerConditions conditions_;
  const AutotuneOptions autotune_;
};

} // namespace

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

SpecialiseOptions gpuNamed(const std::string &arch, const KernelRuns &runs,
                           const AutotuneOptions &autotune) {
  SpecialiseOptions options{targetNamed(arch), runs.compiling, runs.planning};
  options.threads = autotune.threads;
  if (autotune.measures()) {
    requireGpu(autotune);
    if (const std::string here = gpuBackendArch(autotune.gpu); here != arch)
      fail(ErrorKind::Device, "autotuning measures on this machine's GPU, which is {} and not {}",
           here, arch);
    options = specialiseFor(options.target, false, runs, autotune);
  }
  return options;
}

void chooseKernels(CompileSettings &settings, const AutotuneOptions &given) {
  AutotuneOptions autotune = given;
  autotune.gpu = settings.devices.gpuNumber();
  if (!settings.target.empty()) {
    settings.gpu = gpuNamed(settings.target, kernelRuns(settings), autotune);
  } else if (runsHere(settings) && !settings.givenMachine) {
    requireGpu(autotune);
    settings.chooser = std::make_shared<KernelChooser>(settings, autotune);
  }
}

} // namespace mpf
