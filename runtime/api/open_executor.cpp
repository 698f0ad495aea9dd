#include "runtime/api/open_executor.h"

#include "runtime/api/check_session.h"
#include "runtime/api/gpu_backend.h"
#include "runtime/api/place_program.h"
#include "runtime/api/process_memory.h"
#include "runtime/api/run_volume.h"
#include "runtime/execute/cpu_executor.h"
#include "runtime/execute/hybrid/hybrid_executor.h"
#include "runtime/predict/stored_speed.h"
#include "runtime/schedule/build_schedule.h"
#include "runtime/schedule/lay_apart.h"
#include "runtime/schedule/placement/placed_schedule.h"

namespace mpf {

namespace {

/// Why the GPU cannot run the bundle; empty: it can. Asked last: it opens the GPU.
std::string whyNotGpu(const Bundle &bundle) {
  if (!bundle.tableDriven)
    return fmt::format("{} was compiled for the CPU only; name a GPU when compiling it",
                       bundle.name);
  if (bundle.foreignKernels)
    return fmt::format(
        "the GPU kernels of {} come from a file, and this program has no compiler to "
        "check them with: link mpf::jit, run on the CPU, or take them as they are "
        "with LoadOptions::trust",
        bundle.name);
  return gpuBackendUnavailable();
}

void requireGpu(const Bundle &bundle) {
  const std::string reason = whyNotGpu(bundle);
  if (!reason.empty())
    fail(bundle.tableDriven && bundle.foreignKernels ? ErrorKind::BadInput : ErrorKind::Device,
         "{}", reason);
}

bool fitsGpu(const Bundle &bundle) {
  return tableBytes(bundle) <= gpuTableBytes(gpuBackendFreeBytes().value_or(0));
}

OpenedExecutor openGpu(const Bundle &bundle, const SessionOptions &options) {
  return {openGpuBackend(bundle, options), buildSchedule(bundle, StepDevice::Gpu), true};
}

std::unique_ptr<Executor> cpuExecutor(const Bundle &bundle, const SessionOptions &options) {
  requireMemory(bundle, options.threads);
  CompiledKernelOptions own;
  own.expectedRuns = options.expectedRuns;
  own.forbidCompiling = options.forbidCompiling;
  own.threads = options.threads;
  SpreadOptions spread;
  spread.costs = storedSpeed().cpu.threads;
  return makeCpuExecutor(bundle, {options.threads, own, spread});
}

OpenedExecutor openCpu(const Bundle &bundle, const SessionOptions &options) {
  return {cpuExecutor(bundle, options), buildSchedule(bundle, StepDevice::Cpu), false};
}

OpenedExecutor openBoth(const Bundle &bundle, const SessionOptions &options,
                        const PlacementChoice &choice) {
  auto apart = std::make_shared<const Bundle>(layApart(bundle));
  std::unique_ptr<Executor> host = cpuExecutor(*apart, options);
  // The order of tasks goes by results that lie apart, which slices side by side leave less room
  // for.
  SessionOptions onDevice = options;
  onDevice.slicesAtOnce = 1;
  return {makeHybridExecutor(std::move(apart), std::move(host), openGpuBackend(bundle, onDevice)),
          placedSchedule(bundle, choice.placement, choice.supersteps), true};
}

} // namespace

OpenedExecutor openExecutor(const Bundle &bundle, const SessionOptions &options) {
  checkSession(options);
  const PlacementMethod method = placementMethodNamed(options.schedule);
  if (options.device == "gpu" || method == PlacementMethod::Gpu) {
    requireGpu(bundle);
    return openGpu(bundle, options);
  }
  if (options.device == "cpu" || method == PlacementMethod::Cpu)
    return openCpu(bundle, options);
  const bool isAuto = method == PlacementMethod::Auto;
  if (!isAuto)
    requireGpu(bundle);
  else if (!bundle.tableDriven || bundle.foreignKernels)
    return openCpu(bundle, options);
  const bool exceedsHost = tableBytes(bundle) > hostBytes();
  const PlacementChoice choice =
      placeProgram(bundle, method, {options.threads, options.expectedRuns, storedSpeed()});
  if (isAuto && ((!choice.placement.uses(StepDevice::Gpu) && !exceedsHost) ||
                 !whyNotGpu(bundle).empty() || !fitsGpu(bundle)))
    return openCpu(bundle, options);
  if (exceedsHost || !choice.placement.uses(StepDevice::Cpu))
    return openGpu(bundle, options);
  return openBoth(bundle, options, choice);
}

} // namespace mpf
