#include "runtime/session/open_executor.h"

#include "dsl/support/check.h"
#include "runtime/choose/answer/choose_answer.h"
#include "runtime/choose/answer/verify_answer.h"
#include "runtime/execute/cpu_executor.h"
#include "runtime/execute/host/gpu_or_cpu.h"
#include "runtime/execute/hybrid/hybrid_executor.h"
#include "runtime/machine/gpu_backend.h"
#include "runtime/machine/process_memory.h"
#include "runtime/machine/stored_speed.h"
#include "runtime/schedule/build_schedule.h"
#include "runtime/schedule/lay_apart.h"
#include "runtime/schedule/placement/placed_schedule.h"
#include "runtime/schedule/run_volume.h"
#include "runtime/session/check_session.h"

#include <optional>
#include <set>
#include <string>
#include <utility>

namespace mpf {

namespace {

/// The speed of this machine. It is read from the cache once, when it is needed first.
class SpeedHere {
public:
  const MachineSpeed &get() {
    if (!speed_)
      speed_ = storedSpeed();
    return *speed_;
  }

private:
  std::optional<MachineSpeed> speed_;
};

/// Throws unless the bundle has kernels that a GPU may run.
void requireKernels(const Bundle &bundle) {
  if (!bundle.tableDriven)
    fail(ErrorKind::Device, "{} was compiled for the CPU only; name a GPU when compiling it",
         bundle.name);
  if (bundle.foreignKernels)
    fail(ErrorKind::BadInput,
         "the GPU kernels of {} come from a file, and this program has no compiler to check them "
         "with: link mpf::jit, run on the CPU, or take them as they are with LoadOptions::trust",
         bundle.name);
}

bool fitsGpu(const Bundle &bundle, uint32_t gpu) {
  return neededTableBytes(bundle) <= gpuTableBytes(gpuBackendFreeBytes(gpu).value_or(0));
}

/// Opens a GPU. `isOffer`: returns null, instead of throwing, if the machine lacks it or it has too
/// little memory.
std::unique_ptr<Executor> gpuExecutor(const Bundle &bundle, SessionOptions options, uint32_t gpu,
                                      bool isOffer, SpeedHere &speed) {
  if (const std::string reason = gpuBackendUnavailable(gpu); !reason.empty()) {
    if (isOffer && gpuBackendFault().empty())
      return nullptr;
    fail(ErrorKind::Device, "{}", reason);
  }
  if (isOffer && !fitsGpu(bundle, gpu))
    return nullptr;
  options.device = deviceName(DeviceId::gpu(gpu));
  return openGpuBackend(bundle, options, speed.get().gpu);
}

/// Returns the GPUs of a plan whose method uses one, even if all operations are on the CPU.
std::set<DeviceId> gpusOf(const AnswerPlan &plan) {
  std::set<DeviceId> gpus;
  for (const DeviceId device : plan.placement.devices)
    if (device.isGpu())
      gpus.insert(device);
  if (gpus.empty())
    gpus.insert(DeviceId::gpu(plan.devices.gpuNumber()));
  return gpus;
}

/// Opens all GPUs of a plan. Returns none if one that is offered cannot be opened.
std::vector<DeviceExecutor> gpuExecutors(const Bundle &bundle, const AnswerPlan &plan,
                                         const SessionOptions &options, SpeedHere &speed) {
  std::vector<DeviceExecutor> opened;
  for (const DeviceId gpu : gpusOf(plan)) {
    std::unique_ptr<Executor> executor =
        gpuExecutor(bundle, options, gpu.number, plan.devices.isAuto(), speed);
    if (executor == nullptr)
      return {};
    opened.push_back({gpu, std::move(executor)});
  }
  return opened;
}

std::unique_ptr<Executor> cpuExecutor(const Bundle &bundle, const SessionOptions &options,
                                      SpeedHere &speed) {
  requireMemory(bundle, options.threads);
  CompiledKernelOptions own;
  own.expectedRuns = options.expectedRuns;
  own.forbidCompiling = options.forbidCompiling;
  own.threads = options.threads;
  SpreadOptions spread;
  spread.costs = speed.get().cpu.threads;
  return makeCpuExecutor(bundle, {options.threads, own, spread});
}

/// The CPU's part of a program that is spread over several devices.
struct HostPart {
  std::shared_ptr<const Bundle> bundle;
  std::unique_ptr<Executor> executor;
};

HostPart openHostPart(const Bundle &bundle, const SessionOptions &options, SpeedHere &speed) {
  HostPart part;
  part.bundle = std::make_shared<const Bundle>(layApart(bundle));
  part.executor = cpuExecutor(*part.bundle, options, speed);
  return part;
}

AnswerPlan plannedAnswer(const Bundle &bundle, const SessionOptions &options, bool predictsAll,
                         SpeedHere &speed) {
  AnswerConditions conditions;
  conditions.devices = checkSession(options);
  conditions.costs = [&] {
    return conditionsHere(options.threads, options.expectedRuns, speed.get());
  };
  conditions.hostBytes = hostBytes;
  if (!bundle.tableDriven || bundle.foreignKernels)
    conditions.lacksKernels = "the program has no GPU kernels that may run";
  conditions.isOpened = true;
  conditions.predictsAll = predictsAll;
  return chooseAnswer(bundle, conditions).plan;
}

OpenedExecutor openedOnCpu(const Bundle &bundle, const SessionOptions &options,
                           std::string gpuFault, SpeedHere &speed) {
  try {
    return {cpuExecutor(bundle, options, speed), buildSchedule(bundle, DeviceId::cpu()), false,
            std::move(gpuFault)};
  } catch (const Error &error) {
    if (gpuFault.empty())
      throw;
    fail(error.kind(), "{}; the GPU failed before: {}", error.what(), gpuFault);
  }
}

} // namespace

AnswerPlan planAnswer(const Bundle &bundle, const SessionOptions &options, bool predictsAll) {
  SpeedHere speed;
  return plannedAnswer(bundle, options, predictsAll, speed);
}

PredictedRun predictRun(const Bundle &bundle, const SessionOptions &options) {
  const AnswerPlan plan = planAnswer(bundle, options, true);
  const uint32_t gpu = plan.devices.gpuNumber();
  const bool lacksGpu = plan.usesGpu() && plan.devices.isAuto() && !plan.isSpread() &&
                        (!gpuBackendUnavailable(gpu).empty() || !fitsGpu(bundle, gpu));
  const AnswerCandidate &taken = lacksGpu ? plan.candidates.front() : plan.choice();
  return {taken.totalUs(), plan.usesGpu() && !lacksGpu};
}

OpenedExecutor openOnCpu(const Bundle &bundle, const SessionOptions &options,
                         std::string gpuFault) {
  SpeedHere speed;
  return openedOnCpu(bundle, options, std::move(gpuFault), speed);
}

OpenedExecutor openExecutor(const Bundle &bundle, const SessionOptions &options) {
  SpeedHere speed;
  const AnswerPlan plan = plannedAnswer(bundle, options, false, speed);
  MPF_CHECK(answerPlanFault(plan, &bundle).empty(), "{}: {}", bundle.name,
            answerPlanFault(plan, &bundle));
  if (!plan.usesGpu())
    return openedOnCpu(bundle, options, plan.gpuFault, speed);
  requireKernels(bundle);
  SessionOptions onDevice = options;
  // The order of tasks needs results laid apart, and slices side by side leave less room for that.
  if (plan.isSpread())
    onDevice.slicesAtOnce = 1;
  // Open the host's part first: compiling its kernels takes long, and the GPU may start meanwhile.
  HostPart host = plan.isSpread() ? openHostPart(bundle, options, speed) : HostPart();
  std::string fault;
  std::vector<DeviceExecutor> executors = onGpuOrCpu(
      plan.devices.isOpen(), [&] { return gpuExecutors(bundle, plan, onDevice, speed); },
      [&](std::string failed) {
        fault = std::move(failed);
        return std::vector<DeviceExecutor>();
      });
  if (executors.empty()) {
    host = HostPart();
    return openedOnCpu(bundle, options, std::move(fault), speed);
  }
  if (plan.isSpread()) {
    executors.insert(executors.begin(), {DeviceId::cpu(), std::move(host.executor)});
    return {makeHybridExecutor(std::move(host.bundle), std::move(executors)),
            placedSchedule(bundle, plan.placement, plan.supersteps), plan.devices.isOpen(), ""};
  }
  Schedule schedule = buildSchedule(bundle, executors.front().device);
  return {std::move(executors.front().executor), std::move(schedule), plan.devices.isOpen(), ""};
}

} // namespace mpf
