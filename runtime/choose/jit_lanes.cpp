#include "runtime/choose/jit_lanes.h"

#include "codegen/emit/lane_kernel_choice.h"
#include "codegen/emit/lanes/team_source.h"
#include "codegen/emit/lanes_in_text.h"
#include "dsl/support/check.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/choose/jit_gpu.h"
#include "runtime/machine/gpu_backend.h"
#include "runtime/machine/gpu_lane_backend.h"

namespace mpf {

CaseRunnerOptions laneRunnerOptions(const SessionOptions &options, DeviceKind device,
                                    std::optional<double> tableDrivenSeconds, bool compilesLater) {
  CaseRunnerOptions runner;
  runner.threads = threadCount(options.threads);
  runner.own.forbidCompiling = options.forbidCompiling;
  runner.own.threads = options.threads;
  if (device != DeviceKind::Gpu)
    return runner;
  const uint32_t gpu = deviceRequestOf(options.device).gpuNumber();
  if (const std::string reason = gpuBackendUnavailable(gpu); !reason.empty())
    fail(ErrorKind::Device, "{}", reason);
  const std::string arch = gpuBackendArch(gpu);
  const Target target = knowsGpu(arch) ? targetNamed(arch) : leastTarget();
  const LaneLimitsOfDevice limits = laneLimitsFor(target, tableDrivenSeconds);
  runner.device = [options, limits,
                   compilesLater](const LaneProgram &lanes, const CommonTables &common,
                                  const LinearPlan &plan, ElementType type, ThreadPool &pool) {
    return openGpuLanes(lanes, common, plan,
                        {emitLaneKernel(lanes, common, plan, type, limits), teamSource(type),
                         options.dumpKernels.empty() ? "" : lanesInText(lanes, limits),
                         compilesLater},
                        type, options, pool);
  };
  return runner;
}

} // namespace mpf
